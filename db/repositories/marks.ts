import { type Param, repository } from '../statement.ts'

declare module '../types.ts' {
  interface Tables {
    marks: {
      /** Where the mark is used. */
      name: string
      value: string
    }
  }
}

/** What this database is known by elsewhere: a copy of it has the same marks, any other database has others. */
export const marks = repository({
  reads: ({ first }) => ({
    find: first((db, p: Param<{ name: string }>) =>
      db.selectFrom('marks').select('value').where('name', '=', p('name'))
    )
  }),

  writes: ({ done }) => ({
    /** Does nothing if there is one already. */
    add: done((db, p: Param<{ name: string; value: string }>) =>
      db
        .insertInto('marks')
        .values(p.pick('name', 'value'))
        .onConflict((conflict) => conflict.doNothing())
    ),

    set: done((db, p: Param<{ name: string; value: string }>) =>
      db
        .insertInto('marks')
        .values(p.pick('name', 'value'))
        .onConflict((conflict) =>
          conflict.column('name').doUpdateSet({ value: (eb) => eb.ref('excluded.value') })
        )
    )
  })
})
