import {useEffect} from 'react'
import {type LayoutProps, useCurrentUser} from 'sanity'
import {useContent} from '../live/useContent.ts'
import {browserItems} from '../saving/storage.ts'
import {renewSecrets} from './secrets.ts'
import {startedPreviews} from './started.ts'

/** Milliseconds between two attempts. */
const INTERVAL = 5 * 60_000

/** Studio's layout. As long as it is shown, it renews the previews that were started in this browser. */
export function RenewingLayout(props: LayoutProps) {
  const client = useContent()
  const userId = useCurrentUser()?.id
  useEffect(() => {
    if (userId === undefined) return undefined
    const renew = () => {
      const ids = startedPreviews.list(browserItems).map(({id}) => id)
      // An attempt that fails leaves time for others.
      if (ids.length > 0) renewSecrets(client, userId, ids).catch(() => {})
    }
    const timer = setInterval(renew, INTERVAL)
    return () => clearInterval(timer)
  }, [client, userId])
  return props.renderDefault(props)
}
