// Writes a file as a comment on a pull request of GitHub or a merge request of GitLab. An earlier comment of it is replaced.
import {readFile} from 'node:fs/promises'

/** Finds the comment again. It is not shown. */
const MARKER = '<!-- handrail-content-diff -->'

/** Comments that are searched for the marker. */
const MAX_PAGES = 20
const PER_PAGE = 100

const TIMEOUT = 30_000

const {env} = process
const [, , file = ''] = process.argv
const body = `${MARKER}\n${await readFile(file, 'utf8')}`
try {
  await comment(hostFrom(env))
} catch (error) {
  // A pull request from a fork has a token that may not comment. The result of the check counts.
  console.error(`Could not comment: ${error instanceof Error ? error.message : error}`)
  if (env.GITHUB_ACTIONS === 'true')
    console.log('::warning title=Handrail::Could not comment on the pull request')
}

/** Where comments are listed and changed, how one authenticates, and who wrote a comment. */
function hostFrom(variables) {
  if (variables.GITHUB_ACTIONS === 'true') {
    const repository = `${variables.GITHUB_API_URL}/repos/${variables.GITHUB_REPOSITORY}/issues`
    return {
      list: `${repository}/${variables.PULL_REQUEST}/comments`,
      one: (id) => `${repository}/comments/${id}`,
      method: 'PATCH',
      // "github-actions[bot]" for the token of a workflow, which may not ask for its user otherwise.
      viewer: async (host) => {
        const {data} = await request(host, variables.GITHUB_GRAPHQL_URL, 'POST', {query: '{viewer {login}}'})
        return data.viewer.login
      },
      authorOf: ({user}) => user?.login,
      headers: {Authorization: `Bearer ${variables.TOKEN}`, Accept: 'application/vnd.github+json'},
    }
  }
  const notes = `${variables.CI_API_V4_URL}/projects/${variables.CI_PROJECT_ID}/merge_requests/${variables.CI_MERGE_REQUEST_IID}/notes`
  return {
    list: notes,
    one: (id) => `${notes}/${id}`,
    method: 'PUT',
    viewer: async (host) => (await request(host, `${variables.CI_API_V4_URL}/user`, 'GET')).id,
    authorOf: ({author}) => author?.id,
    headers: {'PRIVATE-TOKEN': variables.HANDRAIL_COMMENT_TOKEN},
  }
}

async function comment(host) {
  const earlier = await findEarlier(host)
  if (earlier === undefined) await request(host, host.list, 'POST', {body})
  else await request(host, host.one(earlier), host.method, {body})
}

async function findEarlier(host) {
  let viewer
  for (let page = 1; page <= MAX_PAGES; page += 1) {
    const comments = await request(host, `${host.list}?per_page=${PER_PAGE}&page=${page}`, 'GET')
    for (const one of comments.filter((one) => one.body?.startsWith(MARKER))) {
      viewer ??= await host.viewer(host)
      // The marker is no secret, and what others wrote they can change.
      if (host.authorOf(one) === viewer) return one.id
    }
    if (comments.length < PER_PAGE) return undefined
  }
  return undefined
}

async function request({headers}, url, method, content) {
  const response = await fetch(url, {
    method,
    headers: {...headers, 'Content-Type': 'application/json'},
    ...(content !== undefined && {body: JSON.stringify(content)}),
    signal: AbortSignal.timeout(TIMEOUT),
  })
  if (!response.ok) throw new Error(`${method} ${new URL(url).pathname} returned ${response.status}`)
  return response.json()
}
