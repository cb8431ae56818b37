/// The places of concurrency groups.
package enum GroupPlaces {
  /// How many places a concurrency group has for the run of a row of `runs`, an SQL expression. Each run that has not ended
  /// takes one; an interrupted one takes none from another one that has begun. If runs of a group differ in `group_max`, the
  /// smallest counts.
  ///
  /// The triggers of the table of heads contain it: a change of it needs a step that makes them anew.
  package static func free(_ row: String) -> String {
    """
    (SELECT min(coalesce(min(holder.group_max), \(row).group_max), \(row).group_max) - count(*)
      FROM runs AS holder INDEXED BY runs_of_groups WHERE holder.concurrency_group = \(row).concurrency_group
      AND holder.concurrency_group IS NOT NULL AND holder.status IN ('running', 'waiting', 'interrupted')
      AND holder.id <> \(row).id AND (\(row).status = 'queued' OR holder.status <> 'interrupted'))
    """
  }

  /// The run that the run of a row of `runs` waits for if its group has no free place, an SQL expression: one of those that have
  /// the places, interrupted ones first.
  package static func holder(_ row: String) -> String {
    """
    (SELECT other.id FROM runs AS other INDEXED BY runs_of_groups
      WHERE other.concurrency_group = \(row).concurrency_group AND other.concurrency_group IS NOT NULL
      AND other.status IN ('running', 'waiting', 'interrupted') AND other.id <> \(row).id
      AND (\(row).status = 'queued' OR other.status <> 'interrupted')
      ORDER BY other.status <> 'interrupted', other.id LIMIT 1)
    """
  }
}
