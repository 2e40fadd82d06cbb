import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Scope } from './file.ts'

// The processes of the service do the same (plugins/runtime/private-folder.ts).
process.umask(0o077)

/** A folder that is removed after the test. */
export function temporaryFolder(t: Scope) {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-'))
  t.teardown(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}
