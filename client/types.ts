import openapiTypescript, { astToString } from 'openapi-typescript'
// The generator builds its output with the API of TypeScript 5, which later majors do not have.
import ts from 'typescript'

const { factory } = ts

/** Moves each schema out of `components`, to a name of its own that editors show and callers import. */
function nameSchemas(types: ts.Node[]): ts.Node[] {
  const named: ts.Node[] = []
  function move(schema: ts.TypeElement) {
    if (!ts.isPropertySignature(schema) || !schema.type || !ts.isIdentifier(schema.name)) {
      throw new Error('a schema whose name is not that of a type')
    }
    const { name, type, questionToken } = schema
    const exported = [factory.createToken(ts.SyntaxKind.ExportKeyword)]
    const declared = ts.isTypeLiteralNode(type)
      ? factory.createInterfaceDeclaration(exported, name, undefined, undefined, type.members)
      : factory.createTypeAliasDeclaration(exported, name, undefined, type)
    ts.setSyntheticLeadingComments(declared, ts.getSyntheticLeadingComments(schema))
    named.push(declared)
    const itself = factory.createTypeReferenceNode(name)
    return factory.createPropertySignature(undefined, name, questionToken, itself)
  }
  const isNamed = ({ name }: { name?: ts.Node }, text: string) =>
    name !== undefined && ts.isIdentifier(name) && name.text === text
  const others = types.map((node) => {
    if (!ts.isInterfaceDeclaration(node) || !isNamed(node, 'components')) return node
    const members = node.members.map((member) => {
      if (!ts.isPropertySignature(member) || !isNamed(member, 'schemas')) return member
      if (!member.type || !ts.isTypeLiteralNode(member.type)) return member
      const type = factory.createTypeLiteralNode(member.type.members.map(move))
      return factory.updatePropertySignature(member, undefined, member.name, undefined, type)
    })
    const { modifiers, name } = node
    return factory.updateInterfaceDeclaration(node, modifiers, name, [], [], members)
  })
  return [...others, ...named]
}

/** The types of an OpenAPI document of the service, as TypeScript. Files are `Blob`s. */
export async function typesOf(text: string): Promise<string> {
  // No type names a header of an answer, and nobody sees the example of a whole body there.
  const document = JSON.parse(text, (key, value) =>
    key === 'headers' || (key === 'example' && Object(value) === value) ? undefined : value
  )
  const blob = factory.createTypeReferenceNode('Blob')
  const types = await openapiTypescript(document, {
    transform: ({ format }) => (format === 'binary' ? blob : undefined),
    // Else a member of a request with a default counts as required.
    defaultNonNullable: false
  })
  return (
    astToString(nameSchemas(types))
      .replaceAll(/components\["schemas"\]\["(\w+)"\]/g, '$1')
      // Editors show a tag, and what stands before it, apart from the description.
      .replaceAll(/^ *\* Format: .*\n/gm, '')
      .replaceAll('@description ', '')
  )
}
