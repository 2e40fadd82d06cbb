import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { noBrowser, openWindow } from '../../support/browser.ts'
import { signIn, startService } from '../../support/helper.ts'
import { until } from '../../support/hostile.ts'
import { slow } from '../../support/selection.ts'
import { preview, project } from './project.ts'
import { blocks, copyProgram, section } from './recipe.ts'
import { runIn } from './run.ts'

const tsconfig = {
  compilerOptions: {
    module: 'esnext',
    moduleResolution: 'bundler',
    target: 'es2022',
    lib: ['es2022', 'dom', 'dom.iterable'],
    jsx: 'react-jsx',
    types: [],
    strict: true,
    exactOptionalPropertyTypes: true,
    allowImportingTsExtensions: true,
    noEmit: true
  },
  files: ['main.tsx']
}

for (const [framework, main] of Object.entries({ React: 'main.tsx', Vue: 'main.ts' })) {
  const options = noBrowser ? { skip: noBrowser } : slow
  t.test(`docs/clients.md: a live page of ${framework}`, options, async (t) => {
    // A service in development takes the pages of this machine.
    const { app } = await startService(t, { SVC_ENV: 'development' })
    const address = await app.listen({ port: 0, host: '127.0.0.1' })
    const folder = await project(t)
    const put = (name: string, text: string) => writeFileSync(join(folder, name), text)
    copyProgram(framework.toLowerCase(), folder, address)
    for (const { language, content } of blocks(section(framework))) {
      t.equal(language, 'sh')
      await runIn(folder, 'bash', '-euc', content)
    }
    put(
      'index.html',
      `<!doctype html><link rel="icon" href="data:,"><script type="module" src="${main}"></script>`
    )
    if (framework === 'React') {
      put('tsconfig.json', JSON.stringify(tsconfig))
      await runIn(folder, process.execPath, 'node_modules/typescript/bin/tsc', '-p', '.')
    }
    await runIn(folder, process.execPath, 'node_modules/vite/bin/vite.js', 'build')
    const origin = await preview(t, folder)

    const demo = await signIn(app)
    await demo.send('POST', '/todo/index', { title: 'was there' })
    const { page, complaints } = await openWindow(t, { baseURL: origin })
    await page.goto('/')
    const items = page.getByRole('listitem')
    const shows = (...titles: string[]) =>
      until(
        `${titles}`,
        async () =>
          (await items.allInnerTexts()).map((text) => text.trim()).join() === titles.join()
      )
    await shows('was there')
    await demo.send('POST', '/todo/index', { title: 'made elsewhere' })
    await shows('made elsewhere', 'was there')

    const add = async (title: string) => {
      await page.getByLabel('What is to be done').fill(title)
      await page.getByRole('button', { name: 'Add' }).click()
    }
    await add('made here')
    await shows('made here', 'made elsewhere', 'was there')
    await page.getByLabel('was there').click()
    await until('it is stored', async () => {
      const { todos } = (await demo.send('GET', '/todo/index')).json().Data
      return todos.at(-1).is_completed && todos.length === 3
    })
    t.ok(await page.getByLabel('was there').isChecked())

    // Shown while the service has it, and taken back when it refuses.
    const { promise: seen, resolve: answer } = Promise.withResolvers<void>()
    await page.route(`${address}/todo/index`, async (route) => {
      if (route.request().method() === 'POST') await seen
      await route.continue()
    })
    const longTitle = 'x'.repeat(1000)
    await add(longTitle)
    await shows(longTitle, 'made here', 'made elsewhere', 'was there')
    answer()
    await page.getByRole('alert').waitFor()
    await shows('made here', 'made elsewhere', 'was there')
    t.equal(app.changeStreams.size(), 1)
    t.same(complaints, [])
  })
}
