/** An OpenID Connect provider, and the lake as its client. */
export type ProviderSettings = {
  readonly issuer: string
  readonly clientId: string
  /** Undefined for a public client. */
  readonly clientSecret?: string | undefined
  /** Separated by spaces. */
  readonly scopes: string
}

/** Single sign-on with one OpenID Connect provider. */
export type SingleSignOnSettings = ProviderSettings & {
  /** What people call the provider, for the sign-in page. */
  readonly name: string
  /** The file that maps claims to rights. Absolute. */
  readonly rightsFile: string
  /** Whether an address counts as verified if the provider does not say whether it is. Default: it does not. */
  readonly trustEmail?: boolean
  /** Milliseconds between two checks of a session that is in use. Default: three minutes. */
  readonly checkEvery?: number
}
