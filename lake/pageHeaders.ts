/** Headers of every page for people: Studio, the sign-in page, and the pages that lead to either. */
export const PAGE_HEADERS = {
  // A page that opened this one in a window could otherwise replace it by a page that looks the same.
  // https://html.spec.whatwg.org/multipage/browsers.html#cross-origin-opener-policies
  'cross-origin-opener-policy': 'same-origin',
  // What Studio never uses, and so no script on its page can ask for. Copying needs `clipboard-write`.
  'permissions-policy': [
    'accelerometer',
    'camera',
    'display-capture',
    'geolocation',
    'gyroscope',
    'magnetometer',
    'microphone',
    'midi',
    'payment',
    'usb',
  ]
    .map((feature) => `${feature}=()`)
    .join(', '),
} as const

/**
 * RFC 6797, for a lake that people reach over TLS: browsers use no other scheme for its host, for a year. Not for
 * subdomains, which may be others'.
 */
export const STRICT_TRANSPORT = ['strict-transport-security', 'max-age=31536000'] as const
