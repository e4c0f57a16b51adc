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

/** Where comments are listed and changed, and how one authenticates. */
function hostFrom(variables) {
  if (variables.GITHUB_ACTIONS === 'true') {
    const repository = `${variables.GITHUB_API_URL}/repos/${variables.GITHUB_REPOSITORY}/issues`
    return {
      list: `${repository}/${variables.PULL_REQUEST}/comments`,
      one: (id) => `${repository}/comments/${id}`,
      method: 'PATCH',
      headers: {Authorization: `Bearer ${variables.TOKEN}`, Accept: 'application/vnd.github+json'},
    }
  }
  const notes = `${variables.CI_API_V4_URL}/projects/${variables.CI_PROJECT_ID}/merge_requests/${variables.CI_MERGE_REQUEST_IID}/notes`
  return {
    list: notes,
    one: (id) => `${notes}/${id}`,
    method: 'PUT',
    headers: {'PRIVATE-TOKEN': variables.HANDRAIL_COMMENT_TOKEN},
  }
}

async function comment(host) {
  const earlier = await findEarlier(host)
  if (earlier === undefined) await request(host, host.list, 'POST')
  else await request(host, host.one(earlier), host.method)
}

async function findEarlier(host) {
  for (let page = 1; page <= MAX_PAGES; page += 1) {
    const comments = await request(host, `${host.list}?per_page=${PER_PAGE}&page=${page}`, 'GET')
    const found = comments.find((one) => one.body?.startsWith(MARKER))
    if (found !== undefined) return found.id
    if (comments.length < PER_PAGE) return undefined
  }
  return undefined
}

async function request({headers}, url, method) {
  const response = await fetch(url, {
    method,
    headers: {...headers, 'Content-Type': 'application/json'},
    ...(method !== 'GET' && {body: JSON.stringify({body})}),
    signal: AbortSignal.timeout(TIMEOUT),
  })
  if (!response.ok) throw new Error(`${method} ${new URL(url).pathname} returned ${response.status}`)
  return response.json()
}
