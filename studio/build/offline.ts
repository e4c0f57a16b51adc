/** Fonts from other hosts. */
const OUTSIDE_FONT = /@font-face\s*\{[^}]*https?:\/\/[^}]*\}\s*/g

/**
 * Removes what Studio's page would fetch from other hosts: fonts, which system fonts replace, and the script
 * that connects Studio to Sanity's dashboard. Editors of a lake may be offline, and their visits stay
 * private.
 */
export function withoutOutside(html: string): string {
  return withoutOutsideFonts(html)
    .replace(/<script[^>]*\bsrc="(?:https?:)?\/\/[^>]*>\s*<\/script>\s*/g, '')
    .replace(/<link[^>]*\bhref="(?:https?:)?\/\/[^>]*>\s*/g, '')
}

/** Removes fonts from other hosts from a style sheet. */
export function withoutOutsideFonts(css: string): string {
  return css.replace(OUTSIDE_FONT, '')
}
