import type { Declaration } from './area/declaration.ts'

/** The areas that were declared, and whose declaration and routes are code now (docs/areas.md). */
export const coded: readonly Declaration[] = []
