import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Test } from 'tap'

/** A folder that is removed after the test. */
export function temporaryFolder(t: Test) {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-'))
  t.teardown(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}
