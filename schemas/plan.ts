import { type Static, Type } from '@sinclair/typebox'
import { Action, AnyKind, maxWait, RunId, Via } from './activity.ts'
import {
  Created,
  DryRun,
  Id,
  Key,
  oneOf,
  orNull,
  PageQuery,
  ref,
  success,
  Timestamp
} from './common.ts'
import { StepFailure } from './failures.ts'
import { UndoCursor } from './undo.ts'

/** How many steps a plan may have. All of them together take at most so many batches' worth of items. */
export const maxSteps = 100
export const maxBatches = 10
/** How many plans of a user may wait. */
export const maxPending = 50
/** How long a plan waits for its user. */
export const planDays = 7
export const planMs = planDays * 86_400_000

export const planStates = ['pending', 'applied', 'refused', 'withdrawn', 'expired'] as const
const state = oneOf(planStates, {
  description:
    '`pending`: it waits for its user. `withdrawn`: refused by who proposed it. `expired`: nobody decided in 7 days.',
  examples: ['pending']
})
export const PlanState = { ...state, $id: 'PlanState' }
export type PlanState = Static<typeof PlanState>

export const Purpose = Type.String({
  minLength: 1,
  maxLength: 500,
  description: 'For the person who decides.',
  examples: ['Tidy up the shopping list']
})

export const PlanStep = Type.Object(
  {
    operation: Type.String({
      maxLength: 64,
      description: 'A tool, or an `x-plan` operation.',
      examples: ['createTodo']
    }),
    arguments: Type.Object(
      {},
      {
        additionalProperties: true,
        description:
          'Of path, query and body, and `if_match`. `$milk.id`: that field of the row of step `milk`. `$$`: a leading `$`.',
        examples: [{ title: 'Buy milk' }]
      }
    ),
    as: Type.Optional(
      Type.String({
        pattern: '^[A-Za-z][A-Za-z0-9_]{0,31}$',
        'x-must': 'be a letter, then at most 31 letters, digits or `_`',
        description: 'Its name for later steps.',
        examples: ['milk']
      })
    )
  },
  { $id: 'PlanStep', description: 'One operation of a plan.' }
)
export type PlanStep = Static<typeof PlanStep>

const example = [{ operation: 'createTodo', arguments: { title: 'Buy milk' }, as: 'milk' }]

export const NewPlan = Type.Object(
  {
    purpose: Purpose,
    run: Type.Optional({
      ...RunId,
      description: 'Of its changes; `plan-<id>` by default.'
    }),
    steps: Type.Array(ref(PlanStep), {
      minItems: 1,
      maxItems: maxSteps,
      description: 'Done in this order, all or none.',
      examples: [example]
    })
  },
  {
    $id: 'NewPlan',
    description: 'A plan to propose.',
    examples: [{ purpose: 'Tidy up the shopping list', steps: example }]
  }
)
export type NewPlan = Static<typeof NewPlan>

/** Not that of the kind: the `id` is null in a row that does not exist yet. */
const Row = (description: string) =>
  orNull(Type.Object({}, { additionalProperties: true }), description)

const PlannedChange = Type.Object(
  {
    kind: ref(AnyKind),
    key: orNull(Type.Integer(), 'Null if the row does not exist yet.'),
    action: ref(Action),
    before: Row('The row as it is, if there is one.'),
    after: Row('The row as it would be, if it would not be deleted; a new one has no `id` yet.'),
    refers_to: Type.Optional(
      Type.Record(Type.String(), Type.Integer(), {
        'x-no-example': true,
        description:
          'Of a field that refers to a row which the plan makes, and so is null: the place in `changes`, from 0, of the change that makes it. `id`: of the row itself.',
        examples: [{ recipe: 0 }]
      })
    )
  },
  { $id: 'PlannedChange', description: 'What a plan would do to one row.' }
)
export type PlannedChange = Static<typeof PlannedChange>

const WholePlan = Type.Object({
  id: Key,
  purpose: Purpose,
  run: {
    ...RunId,
    description: 'The run of its changes; of an undo, its own.'
  },
  state: ref(PlanState),
  via: { ...ref(Via), description: 'Credential of its proposer.' },
  token_name: orNull(Type.String(), 'Its name, if it is an access token.'),
  created_at: Created,
  expires_at: { ...Timestamp, description: 'Until when it waits.' },
  decided_at: orNull(Timestamp, 'When it was decided.'),
  decided_by: orNull(
    Type.Object({
      via: { ...ref(Via), description: 'Kind of credential.' },
      token_name: orNull(Type.String(), 'Its name, if it is an access token.')
    }),
    'Who decided, if known.'
  ),
  reason: orNull(Type.String(), 'Why it was refused.'),
  undone_by: orNull(
    Type.Object({
      run: { ...RunId, description: 'Run of the undo.' },
      at: Timestamp
    }),
    'The newest undo of its changes; null if another user made it.'
  ),
  undone_changes: Type.Integer({
    description: 'How many of its changes are undone.',
    examples: [0]
  }),
  steps: Type.Array(ref(PlanStep), { description: 'In order.', examples: [example] }),
  changes: Type.Array(ref(PlannedChange), {
    description: 'What it would change; once applied, what it has changed.'
  })
})
export type Plan = Static<typeof WholePlan>

const { steps, changes } = Type.Partial(WholePlan).properties
export const Plan = Type.Object(
  {
    ...WholePlan.properties,
    steps,
    changes,
    rows: Type.Optional(
      Type.Array(
        Type.Object({
          kind: ref(AnyKind),
          action: ref(Action),
          keys: Type.Array(orNull(Type.Integer()), { description: 'In order, each once.' })
        }),
        {
          'x-no-example': true,
          description: 'Instead of `changes`, once applied.',
          examples: [[{ kind: 'todo', action: 'create', keys: [1] }]]
        }
      )
    )
  },
  {
    $id: 'Plan',
    description:
      'What a program would do, for a person to decide. In lists without `changes`; with `Prefer: return=minimal` without `steps` too.'
  }
)

export const planAnswer = success(
  {
    plan: ref(Plan),
    message: Type.String({
      description: 'How it stands.',
      examples: ['It was approved, and is done.']
    })
  },
  { name: 'Plan' }
)

export const PlanQuery = Type.Object({
  ...PageQuery.properties,
  state: Type.Optional({ ...state, description: 'Only in this state.' })
})

export const PlanWait = Type.Object({
  wait: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: maxWait,
      description: 'Seconds to wait for a decision.'
    })
  )
})

export const PlanUndoQuery = Type.Object({
  cursor: UndoCursor,
  dry_run: DryRun
})

export const PlanKey = Type.Object({ id: Id({ absent: 'PLAN-NOT-FOUND' }) })

export const PlanRefusal = Type.Object(
  {
    reason: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 500,
        description: 'Why, for the program.',
        examples: ['Keep the milk']
      })
    )
  },
  { $id: 'PlanRefusal', description: 'Why a plan is refused.', examples: [{}] }
)

/** The fields of PLAN-DECIDED, and those of CONFLICT if its rows have changed. */
export const planDecided = { state: ref(PlanState) }
export const planChanged = {
  plan: Type.Optional(ref(Plan)),
  failure: Type.Optional({ ...ref(StepFailure), description: 'Why it cannot be done now.' })
}
