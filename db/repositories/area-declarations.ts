import { repository } from '../statement.ts'

declare module '../types.ts' {
  interface Tables {
    area_declarations: {
      name: string
      /** JSON: every field that the area has ever had. Those that it lacks now are optional. */
      fields: string
      /** JSON: who may read and write its rows; null until it is declared again. */
      access: string | null
    }
  }
}

/** What declared areas have had for fields; the start writes it (db/declared/). */
export const areaDeclarations = repository({
  reads: ({ all }) => ({
    list: all((db) => db.selectFrom('area_declarations').selectAll().orderBy('name'))
  }),
  writes: () => ({})
})
