-- The language server of Sous for Neovim 0.11 or later. Copy this file to ~/.config/nvim/lsp/sous.lua and add
-- `vim.lsp.enable("sous")` to init.lua.
return { cmd = { "sous", "lsp" }, filetypes = { "yaml" }, root_markers = { "sous.yaml" } }
