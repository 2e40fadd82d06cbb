import t from 'tap'
import { accessInWords } from '../schemas/area/access.ts'
import { checkDeclaration } from '../schemas/area/declaration.ts'
import { checkTogether } from '../schemas/area/declared.ts'
import { fieldsFrom } from '../schemas/area/written.ts'

const area = (
  name: string,
  fields: string[],
  access: { read?: string[]; write?: string[] } = {}
) => ({
  name,
  fields: fieldsFrom(fields),
  ...access
})

t.test('who can do what is said in sentences, also of who writes by another word', async (t) => {
  const said = (read: string[], write: string[]) =>
    accessInWords(area('dish', ['title:text', 'members:users?'], { read, write }))
  t.same(said(['anyone'], ['admins', 'users']), [
    'Visitors can read all dishes, without signing in.',
    'Administrators can read, change, and delete all dishes.',
    'Everybody who is signed in can read and change all dishes.'
  ])
  t.same(said(['owner', 'members'], ['owner']), [
    'Who made a dish can read, change, and delete it.',
    'Whoever is named in members of a dish can read it.'
  ])
})

t.test(
  'a field can be called as a word of access, as long as nobody shares the rows',
  async (t) => {
    t.doesNotThrow(() => checkDeclaration(area('dish', ['title:text', 'owner:text', 'users:text'])))
    const shared = area('dish', ['title:text', 'owner:text'], { read: ['users'], write: ['owner'] })
    t.throws(() => checkDeclaration(shared), { message: /owner: a field has no name/ })
  }
)

t.test('what cannot be shared is refused by name', async (t) => {
  const fields = ['title:text', 'members:users?', 'parent:ref:dish?']
  const wrong: [string[], string[], RegExp][] = [
    [['owner'], ['anyone'], /write: a visitor can read/],
    [['owner'], ['members'], /write: members writes, so read must name it too/],
    [['title'], ['title'], /read: title is none of/]
  ]
  for (const [read, write, message] of wrong)
    t.throws(() => checkDeclaration(area('dish', fields, { read, write })), { message })
  const circle = area('dish', fields, { read: ['parent'], write: ['parent'] })
  t.throws(() => checkTogether([circle]), { message: /go in a circle: dish -> dish/ })
  const chain = ['one', 'two', 'six', 'ten', 'ace'].map((name, index, all) => {
    const to = all[index - 1]
    if (!to) return area(name, ['title:text'], { read: ['users'], write: ['owner', 'users'] })
    return area(name, ['title:text', `up:ref:${to}`], { read: ['up'], write: ['up'] })
  })
  t.doesNotThrow(() => checkTogether(chain.slice(0, 4)))
  t.throws(() => checkTogether(chain), { message: /over more than 3 references/ })
})
