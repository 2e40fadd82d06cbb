import { maxJobs } from '../../../plugins/runtime/background.ts'
import type { Desk, Section } from './section.ts'

/** The state of the service and its circuits, and how many mails wait. */
export const health = ({ app }: Desk): Section => ({
  name: 'health',
  title: 'Health',
  async load() {
    const { state } = await app.health()
    return { ...state, isOverloaded: app.isOverloaded(), jobs: app.background.size(), maxJobs }
  }
})
