// Before the page is drawn: the library has its dark colours under a class.
const dark = matchMedia('(prefers-color-scheme: dark)')
const colour = () => document.documentElement.classList.toggle('dark-mode', dark.matches)
dark.addEventListener('change', colour)
colour()

/** The token that a change needs with the cookie of who is signed in; undefined for others. */
async function csrfToken() {
  const answer = await fetch('/session/current')
  return answer.ok ? (await answer.json()).Data.csrfToken : undefined
}

/** Leaves the operations that have every word which was typed in their area, method, path, summary or name. */
function opsFilter(areas, typed) {
  const words = typed.toLowerCase().split(/\s+/)
  const isWanted = (area, item) => {
    const [summary, id] = ['summary', 'operationId'].map((key) => item.getIn(['operation', key]))
    const text = [area, item.get('method'), item.get('path'), summary, id].join(' ').toLowerCase()
    return words.every((word) => text.includes(word))
  }
  return areas
    .map((area, name) => area.update('operations', (all) => all.filter((it) => isWanted(name, it))))
    .filter((area) => area.get('operations').size > 0)
}

/** The document with what its references lead to in their places, each of which is made once. */
function resolved(document) {
  const made = new Map()
  function target(reference) {
    // A circle ends in a reference.
    if (!made.has(reference)) {
      made.set(reference, null)
      made.set(reference, inline(document.getIn(reference.slice(2).split('/'))))
    }
    return made.get(reference)
  }
  function inline(value) {
    if (typeof value?.map !== 'function') return value
    const reference = value.get('$ref')
    const put = typeof reference === 'string' && target(reference)
    if (!put) return value.map(inline)
    // The library names a schema by it.
    return put.merge(value.remove('$ref')).set('$$ref', reference)
  }
  return inline(document)
}

/** A failure is a line with its codes until it is opened: ten of them take longer to draw than all else. */
const failure =
  (Response, { React, getComponent }) =>
  (props) => {
    const [isOpen, open] = React.useState(false)
    const { code, response } = props
    const element = React.createElement
    const names = response.get('description').match(/^`[A-Z-]+`(?=:)/gm)
    if (code < '400' || !names) return element(Response, props)
    const button = {
      className: 'expand-operation',
      'aria-expanded': isOpen,
      'aria-label': `Details of ${code}`,
      onClick: () => open(!isOpen)
    }
    const arrow = getComponent(isOpen ? 'ArrowUpIcon' : 'ArrowDownIcon')
    const line = element(
      'tr',
      { className: 'response failure' },
      element('td', { className: 'response-col_status' }, code),
      element(
        'td',
        { className: 'response-col_description' },
        names.map((name) => element('code', { key: name }, name.slice(1, -1)))
      ),
      element('td', null, element('button', button, element(arrow, { className: 'arrow' })))
    )
    return element(React.Fragment, null, line, isOpen && element(Response, props))
  }

/** Text is drawn once, which takes 2 ms: the library would draw all of the page again with each operation. */
const markdown =
  (Markdown, { React }) =>
  (props) =>
    React.useMemo(() => React.createElement(Markdown, props), [props.source, props.className])

const plugin = () => ({
  fn: { opsFilter },
  // The page has a field of its own.
  components: { FilterContainer: () => null },
  wrapComponents: { Markdown: markdown, response: failure },
  statePlugins: {
    layout: {
      wrapSelectors: {
        // What was found is seen at once, also in areas that are closed.
        isShown: (isShown) => (state, thing, isShownAtFirst) =>
          (thing[0] === 'operations-tag' && Boolean(state.get('filter'))) ||
          isShown(thing, isShownAtFirst)
      }
    },
    // The library reads the whole document anew for each operation that opens, since references could lead anywhere,
    // and then draws all others again. Here they lead to components, so all are resolved at once.
    spec: {
      wrapActions: {
        updateJsonSpec: (update, system) => (json) => {
          update(json)
          return update(resolved(system.specSelectors.specJson()))
        },
        requestResolvedSubtree: () => () => () => {}
      },
      wrapSelectors: {
        specResolvedSubtree: () => (state, path) => state.getIn(['json', ...path])
      }
    }
  }
})

/** Shows the operations with the words in the field, or all if there are none. */
function find({ layoutActions, specSelectors }) {
  const typed = document.querySelector('#find').value.trim()
  document.documentElement.classList.toggle('typed', typed !== '')
  layoutActions.updateFilter(typed)
  const count = specSelectors
    .taggedOperations()
    .reduce((sum, area) => sum + area.get('operations').size, 0)
  const found = count === 1 ? '1 operation' : `${count} operations`
  document.querySelector('output').value = typed && found
}

addEventListener('DOMContentLoaded', () => {
  // Without a layout of its own: the usual one has a bar with the logo of the library.
  const viewer = globalThis.SwaggerUIBundle({
    url: '/api-docs/json',
    dom_id: '#swagger-ui',
    deepLinking: true,
    docExpansion: 'none',
    defaultModelsExpandDepth: -1,
    plugins: [plugin],
    // A browser that goes back keeps what was typed.
    onComplete: () => find(viewer),
    // `x-scope`, `x-plan` and `x-error-codes` of an operation.
    showExtensions: true,
    withCredentials: true,
    validatorUrl: null,
    async requestInterceptor(request) {
      // To the origin that the viewer was loaded from: the document may name another address of the service,
      // which the policy of the page would refuse.
      const { pathname, search } = new URL(request.url, location.origin)
      request.url = location.origin + pathname + search
      const isRead = /^(get|head)$/i.test(request.method ?? 'get')
      if (!isRead && !request.headers.Authorization) {
        request.headers['X-CSRF-Token'] ??= await csrfToken()
      }
      return request
    }
  })

  let timer
  document.querySelector('#find').addEventListener('input', () => {
    clearTimeout(timer)
    // One letter leaves nearly all operations, which takes as long to draw as several words are typed in.
    timer = setTimeout(find, 200, viewer)
  })
})
