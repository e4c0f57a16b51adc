/**
 * The `source` of a preview secret. It binds the secret to one site.
 * https://github.com/sanity-io/visual-editing/tree/main/packages/preview-url-secret
 */
export function previewSourceOf(publicId: string): string {
  return `handrail.${publicId}`
}

/**
 * Minutes after which a preview link starts no preview any more. A preview that it has started lasts longer. A service
 * of several replicas can open a link once for each of them, so this is short.
 */
export const LINK_MINUTES = 15

/**
 * The owner of the secrets with which Studio reads what a service reports of a site. All editors share them, and no link has
 * them.
 */
export const REPORTS_OWNER = 'handrail.visits'
