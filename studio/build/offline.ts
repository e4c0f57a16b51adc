/** Faces whose files lie elsewhere. */
const OUTSIDE_FONT = /@font-face\s*\{[^}]*https?:\/\/[^}]*\}\s*/g

/**
 * Studio's page without what it would fetch from elsewhere: fonts, for which the system's stand in, and the script
 * that links Studio to Sanity's dashboard. Whoever edits a lake may have no network, and tells nobody of it.
 */
export function withoutOutside(html: string): string {
  return withoutOutsideFonts(html)
    .replace(/<script[^>]*\bsrc="(?:https?:)?\/\/[^>]*>\s*<\/script>\s*/g, '')
    .replace(/<link[^>]*\bhref="(?:https?:)?\/\/[^>]*>\s*/g, '')
}

/** A style sheet without fonts that it would fetch from elsewhere. */
export function withoutOutsideFonts(css: string): string {
  return css.replace(OUTSIDE_FONT, '')
}
