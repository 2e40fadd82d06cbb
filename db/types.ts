/** Every table, with its columns as repositories take and return them. Each repository adds its own tables. */
// biome-ignore lint/suspicious/noEmptyInterface: filled where the tables are used
export interface Tables {}

/** Milliseconds since the epoch: times that are only compared, never shown. */
export type EpochMs = number
