/** Every table, with its columns as repositories take and return them. Each repository adds its own tables. */
export interface Tables {
  user_usage: UserUsage
}

/**
 * What each user has stored: one row for each user. Triggers of the counted tables keep it, so it is right
 * whatever writes to them. Each counted table adds its column here.
 */
export interface UserUsage {
  user_id: number
}

/** Milliseconds since the epoch: times that are only compared, never shown. */
export type EpochMs = number
