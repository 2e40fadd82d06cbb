export default {
  input: 'http://127.0.0.1:3000/api-docs/json',
  output: { path: 'gatehouse', module: { extension: '.ts' } },
  plugins: ['@hey-api/client-fetch']
}
