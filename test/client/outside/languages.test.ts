import { execFileSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { temporaryFolder } from '../../support/folder.ts'
import { startService } from '../../support/helper.ts'
import { blocksOf } from '../../support/printed.ts'
import { slow } from '../../support/selection.ts'
import { copyProgram } from './recipe.ts'
import { plain, runIn } from './run.ts'

/** A language, and a command that says whether what its programs need is installed. */
const languages: Record<string, string> = {
  Go: 'go version && javac -version && ls /usr/share/gocode/src/golang.org/x/oauth2',
  Java: 'javac -version',
  Python: 'java -version && /usr/bin/python3 -c "import urllib3, dateutil, six, certifi"',
  'C#': 'mcs --version && mono --version && ls /usr/lib/mono/4.5/System.{ComponentModel.DataAnnotations,Data,Xml.Linq}.dll'
}

function missing(check: string) {
  try {
    execFileSync('env', [...plain, 'bash', '-euc', check], { stdio: 'ignore' })
    return {}
  } catch {
    return { skip: `not installed here: ${check}` }
  }
}

for (const [language, check] of Object.entries(languages)) {
  const options = slow.skip ? slow : missing(check)
  t.test(`docs/clients.md: ${language}`, options, async (t) => {
    const { app } = await startService(t)
    const address = await app.listen({ port: 0, host: '127.0.0.1' })
    const folder = join(temporaryFolder(t), 'project')
    mkdirSync(folder)
    copyProgram(language === 'C#' ? 'csharp' : language.toLowerCase(), folder, address)
    let said = ''
    for (const { section, language: kind, content } of blocksOf('docs/clients.md')) {
      if (section !== language) continue
      const text = content.replaceAll('http://127.0.0.1:3000', address)
      if (kind === 'sh') said = await runIn(folder, 'bash', '-euc', text)
      else t.equal(said, text, 'what it prints')
    }
  })
}
