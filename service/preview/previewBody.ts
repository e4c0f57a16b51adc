import type {PageReport} from './drafts/pageReport.ts'
import {sealTicket} from './seals.ts'
import type {PreviewSecret} from './secrets.ts'

/** The body of the response for a page, which has the tickets and links of one secret. */
export function bodyOf(
  publicId: string,
  {id, secret, expiresAt, studioUrl, release}: PreviewSecret,
  {members, scripts}: PageReport,
  {ticketExpiresAt, token}: {readonly ticketExpiresAt: number; readonly token?: string},
): string {
  const ticket = {secretId: id, expiresAt: ticketExpiresAt}
  const modules = scripts.map((script) => {
    const sealed = sealTicket(secret, publicId, script, ticket)
    return [
      script.toolId,
      `api/sites/${publicId}/preview/scripts/${sealed}/${script.toolId}/${script.revision}.js`,
    ]
  })
  const head = JSON.stringify({
    expiresAt: new Date(expiresAt).toISOString(),
    token,
    preview: id,
    studioUrl,
    release: release?.title,
    modules: Object.fromEntries(modules),
  })
  return `${head.slice(0, -1)},${members}}`
}
