// Without a layout of its own: the usual one has a bar with the logo of the library.
globalThis.SwaggerUIBundle({
  url: '/api-docs/json',
  dom_id: '#swagger-ui',
  deepLinking: true,
  // `x-scope`, `x-plan` and `x-error-codes` of an operation.
  showExtensions: true,
  withCredentials: true,
  validatorUrl: null,
  // To the origin that the viewer was loaded from: the document may name another address of the service,
  // which the policy of the page would refuse.
  requestInterceptor(request) {
    const { pathname, search } = new URL(request.url, location.origin)
    return Object.assign(request, { url: location.origin + pathname + search })
  }
})
