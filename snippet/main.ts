declare const ORIGIN_TRIAL_TOKEN: string | undefined

if (ORIGIN_TRIAL_TOKEN) {
  const meta = document.createElement('meta')
  meta.httpEquiv = 'origin-trial'
  meta.content = ORIGIN_TRIAL_TOKEN
  document.head.append(meta)
}
