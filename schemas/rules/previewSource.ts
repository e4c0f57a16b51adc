/**
 * The `source` of a preview secret. It binds the secret to one site.
 * https://github.com/sanity-io/visual-editing/tree/main/packages/preview-url-secret
 */
export function previewSourceOf(publicId: string): string {
  return `handrail.${publicId}`
}
