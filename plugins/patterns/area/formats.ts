import { stringify } from 'csv-stringify/sync'

export const formats = ['json', 'csv'] as const
export type Format = (typeof formats)[number]

export type Row = { readonly [name: string]: unknown }

/** What a spreadsheet takes for a formula (OWASP, CSV Injection), also behind white space, which some drop, and marks of ours. */
const formula = /^['\s\p{Cc}]*[=+\-@\uff1d\uff0b\uff0d\uff20]/u
function guarded(value: unknown) {
  if (value instanceof Object) return JSON.stringify(value)
  return typeof value === 'string' && formula.test(value) ? `'${value}` : value
}
/** A text that `guarded` wrote. */
export const unguarded = (text: string) =>
  text.startsWith("'") && formula.test(text) ? text.slice(1) : text

/** How rows stand in a file: what begins and ends it, what is between two, and the text of one. */
export interface Writer {
  type: string
  start: string
  between: string
  end: string
  text(row: Row): string
}

/** `names`: the columns of CSV (RFC 4180), in this order. */
export const writerOf = (format: Format, names: readonly string[]): Writer =>
  format === 'json'
    ? {
        type: 'application/json; charset=utf-8',
        ...{ start: '[\n', between: ',\n', end: '\n]\n', text: (row) => JSON.stringify(row) }
      }
    : {
        type: 'text/csv; charset=utf-8; header=present',
        ...{ start: lineOf(names), between: '', end: '' },
        text: (row) => lineOf(names.map((name) => guarded(row[name])))
      }

const lineOf = (values: readonly unknown[]) =>
  stringify([values], {
    record_delimiter: 'windows',
    // A lone LF or CR too: other readers end the row there.
    quote_record_delimiter: true,
    cast: { boolean: String }
  })
