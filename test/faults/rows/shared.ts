import type {Fault} from '../fault.ts'

/** Faults in `common/` and `schemas/`. */
export const SHARED: readonly Fault[] = [
  {
    name: 'a closed response keeps its place in a concurrency limit',
    file: 'common/limits/concurrencyLimit.ts',
    find: 'inProgress.remove(client, weight)',
    replace: 'inProgress.remove(client, 0)',
  },
  {
    name: 'a client has one more request in progress than allowed',
    file: 'common/limits/concurrencyLimit.ts',
    find: 'inProgress.of(client) + weight > perClient',
    replace: 'inProgress.of(client) > perClient',
  },
  {
    name: 'each IPv6 address counts as a client of its own',
    file: 'common/limits/clientKey.ts',
    find: "version === 6 ? known.memo(bare) : ''",
    replace: "version === 6 ? bare : ''",
  },
  {
    name: 'a client that reads nothing keeps its connection',
    file: 'common/limits/connectionLimits.ts',
    find: 'if (readBefore.get(socket) === read) socket.destroy()',
    replace: 'if (readBefore.get(socket) === -1) socket.destroy()',
  },
  {
    name: 'a failure stops all later work of a mutex',
    file: 'common/mutex.ts',
    find: 'this.#last = result.catch(() => {})',
    replace: 'this.#last = result',
  },
  {
    name: 'a deadline never ends a call',
    file: 'common/timeout.ts',
    find: 'const timer = setTimeout(abort, milliseconds)',
    replace: 'const timer = setTimeout(abort, milliseconds * 1_000)',
  },
  {
    name: 'the delay before a retry does not grow',
    file: 'common/backoff.ts',
    find: 'halfJitterGenerator(failures - 1, options)',
    replace: 'halfJitterGenerator(0, options)',
  },
  {
    name: 'a write that failed leaves its temporary file',
    file: 'common/atomicWrite.ts',
    find: 'await rm(temporary, {force: true}).catch(() => {})',
    replace: '',
  },
  {
    name: 'a request with two Host headers is served',
    file: 'common/http/requestHeaders.ts',
    find: 'return count === 1 ||',
    replace: 'return count >= 1 ||',
  },
  {
    name: 'a service token that a group can read is accepted',
    file: 'common/serviceToken.ts',
    find: '(mode & 0o077) !== 0',
    replace: '(mode & 0o007) !== 0',
  },
  {
    name: 'braces with exactly the allowed number of alternatives are refused',
    file: 'schemas/rules/paths/braces.ts',
    find: 'countOf(parsed.value.parts) > MOST_ALTERNATIVES',
    replace: 'countOf(parsed.value.parts) >= MOST_ALTERNATIVES',
  },
  {
    name: 'an escaped slash in a path separates segments',
    file: 'schemas/rules/paths/normalizePath.ts',
    find: '|2[35f]|3f)',
    replace: '|2[35]|3f)',
  },
  {
    name: '"*" matches an empty segment of a path',
    file: 'schemas/rules/paths/matchPath.ts',
    find: "if (start === '' && end === '') return length > 0",
    replace: "if (start === '' && end === '') return true",
  },
  {
    name: 'a change of who sees a tool needs no review',
    file: 'schemas/review.ts',
    find: "'pathPattern', 'exposedTo'],",
    replace: "'pathPattern'],",
  },
  {
    name: 'a change that comes with switching off needs no review',
    file: 'schemas/review.ts',
    find: 'return [...fields].every(',
    replace: 'return [...fields].some(',
  },
  {
    name: 'the published version of a draft counts as another tool of the same name',
    file: 'schemas/unique.ts',
    find: 'publishedIdOf(id) !== own',
    replace: 'id !== own',
  },
  {
    name: 'an origin without TLS is accepted',
    file: 'schemas/rules/origin.ts',
    find: "url.protocol === 'http:' && !isThisMachine(url.hostname)",
    replace: "url.protocol === 'http:' && url.hostname === ''",
  },
  {
    name: 'the poll interval cannot be the shortest that is allowed',
    file: 'schemas/rules/pollInterval.ts',
    find: 'if (value < SHORTEST)',
    replace: 'if (value <= SHORTEST)',
  },
  {
    name: 'the path of a page is compared with the least similar alternative',
    file: 'schemas/diagnosis/nearest.ts',
    find: '.sort((a, b) => b.score - a.score)',
    replace: '.sort((a, b) => a.score - b.score)',
  },
  {
    name: 'a script may have characters that change the direction of text',
    file: 'schemas/rules/script.ts',
    find: 'if (hidden !== undefined) return refuse(hidden)',
    replace: '',
  },
]
