require "fileinto";
if exists ["X-Tag", "X-Priority"] { fileinto "Tags"; }
elsif not exists "Return-Path" { discard; }
elsif exists "Cc" { fileinto "Copies"; }
