/** The name of a browser that did not say what it is. */
export const UNKNOWN_BROWSER = 'Unknown browser'

/** Maximum length of the header that is read. */
const MAX_LENGTH = 500

/** In this order: Edge and Opera also call themselves Chrome, and Chrome calls itself Safari. */
const BROWSERS: readonly (readonly [RegExp, string])[] = [
  [/\bEdg(?:e|A|iOS)?\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\b(?:Firefox|FxiOS)\//, 'Firefox'],
  [/\b(?:HeadlessChrome|Chrome|CriOS)\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
]

/** In this order: Android also calls itself Linux, and iOS calls itself "like Mac OS X". */
const SYSTEMS: readonly (readonly [RegExp, string])[] = [
  [/\bAndroid\b/, 'Android'],
  [/\b(?:iPhone|iPad)\b/, 'iOS'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b/, 'macOS'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bLinux\b/, 'Linux'],
]

/**
 * Names a browser for the list of sessions, such as "Firefox on Linux". The header itself is not kept: it
 * says more than the list needs, and clients choose it.
 * @param userAgent the `User-Agent` header
 */
export function browserName(userAgent = ''): string {
  const text = userAgent.slice(0, MAX_LENGTH)
  const find = (names: typeof BROWSERS) => names.find(([pattern]) => pattern.test(text))?.[1]
  const [browser, system] = [find(BROWSERS), find(SYSTEMS)]
  if (browser === undefined) return UNKNOWN_BROWSER
  return system === undefined ? browser : `${browser} on ${system}`
}
