import type { ErrorCode } from '../../../schemas/errors.ts'
import { Failure } from '../../http/errors/index.ts'

/** Why a sign-in at a provider led to nothing, and the code of that. Pages have a sentence for each. */
const problems = {
  'not begun': 'LOGIN-FAILED',
  refused: 'LOGIN-FAILED',
  away: 'DOWNSTREAM-FAILED',
  faulty: 'DOWNSTREAM-FAILED',
  'no address': 'LOGIN-FAILED',
  unverified: 'LOGIN-FAILED',
  'no account': 'LOGIN-FAILED',
  'signed out': 'LOGIN-FAILED',
  'of another user': 'CONFLICT',
  'another one': 'CONFLICT'
} as const satisfies Record<string, ErrorCode>
export type Problem = keyof typeof problems

/** A sign-in at a provider that led to nothing. `provider` is its name, if that is known. */
export class ProviderProblem extends Failure {
  readonly problem: Problem
  readonly provider: string | undefined

  constructor(problem: Problem, provider?: string) {
    super(problems[problem])
    this.problem = problem
    this.provider = provider
  }
}

/** The provider does not answer, or only that it cannot. */
export class Away extends Error {}
