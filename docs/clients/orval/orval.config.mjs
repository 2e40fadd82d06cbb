export default {
  gatehouse: {
    input: 'http://127.0.0.1:3000/api-docs/json',
    output: {
      target: 'gatehouse.ts',
      client: 'fetch',
      headers: true,
      override: { mutator: { path: './send.ts', name: 'send', extension: '.ts' } }
    }
  }
}
