/**
 * Declares an area with a field of each type, and one of long texts. Import it before anything of the service: then the
 * whole process has them (`node --import`, or the first import of a test that runs alone).
 */
import { checkDeclaration } from '../../schemas/area/declaration.ts'
import { declareAreas } from '../../schemas/area/declared.ts'
import { fieldsFrom } from '../../schemas/area/written.ts'

const specimen = {
  name: 'specimen',
  description: 'Something of each type.',
  fields: fieldsFrom([
    ...['url:url', 'label:text?', 'pinned:boolean', 'due_on:date?', 'mail:email'],
    ...['stars:integer:1..5', 'seen_at:time?', 'state:one-of:draft,published'],
    // Names that its components and its page have too, and more filters than have statements for each set of them.
    ...['change:one-of:big,small?', 'done:boolean'],
    ...['price:number:0..1000?', 'weight:number=1.5', 'minutes:integer:1..600=30'],
    // What it refers to has rows of its own (test/references.test.ts).
    'essay:ref:essay:clear?',
    ...['extra:json?', 'note:text:80=Süß', 'course:one-of:starter,main=main']
  ])
}
const essay = { name: 'essay', fields: fieldsFrom(['content:text:10000']), max: 500 }

for (const area of [specimen, essay]) checkDeclaration(area)
declareAreas([specimen, essay])
