import {Box} from '@sanity/ui'
import {useWorkspace} from 'sanity'
import {Link} from 'sanity/router'
import {Note} from '../../parts/layout.tsx'
import {UNDERLINED} from '../../parts/underlined.ts'
import type {Me} from '../access.ts'

/** Tells a person who came by a sign-in link that they can set a password now. */
export function PasswordHint({me}: {me: Me}) {
  const {basePath} = useWorkspace()
  const {isOffered, isSet, mayReset} = me.password
  if (!isOffered || isSet || !mayReset) return null
  return (
    <Box data-testid="password-hint" paddingBottom={5}>
      <Note>
        You came by a sign-in link.{' '}
        <Link href={`${basePath.replace(/\/$/, '')}/people/account`} style={UNDERLINED}>
          Set a password
        </Link>
        , so that you can sign in without one next time.
      </Note>
    </Box>
  )
}
