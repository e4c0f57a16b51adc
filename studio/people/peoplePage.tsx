import {Box, Container, Flex, Heading, Stack, Tab, TabList, TabPanel} from '@sanity/ui'
import {useCallback} from 'react'
import {useRouter} from 'sanity/router'
import {useAnswer} from '../live/useAnswer.ts'
import {NotLoaded} from '../live/useCheckedSite.tsx'
import {useContent} from '../live/useContent.ts'
import {siteName} from '../parts/addresses.ts'
import {type Me, type Site, useAccess} from './access.ts'
import {Account} from './account/account.tsx'
import {AuditLog} from './auditLog.tsx'
import {PeopleList} from './peopleList.tsx'
import {TokenList} from './tokenList.tsx'

/** Everyone sees their own rights and sessions here; administrators also manage people and tokens. */
export function PeoplePage() {
  const loaded = useAccess<Me>('/me')
  return (
    <Box height="fill" overflow="auto">
      <Container as="main" data-testid="people-page" paddingX={4} paddingY={5} width={2}>
        <Stack gap={5}>
          <Heading as="h1" size={3}>
            People
          </Heading>
          {loaded.state === 'answered' ? (
            <Tabs me={loaded.value} reload={loaded.reload} />
          ) : (
            <NotLoaded of={loaded} />
          )}
        </Stack>
      </Container>
    </Box>
  )
}

function Tabs({me, reload}: {me: Me; reload: () => void}) {
  const sites = useSites()
  const tabs = [
    {name: 'account', title: 'Your account', isShown: true},
    {name: 'people', title: 'People', isShown: me.mayAdminister},
    {name: 'tokens', title: 'Tokens', isShown: me.mayAdminister},
    {name: 'audit', title: 'Audit log', isShown: me.mayAudit},
  ].filter(({isShown}) => isShown)
  const router = useRouter()
  const named = tabs.find(({name}) => name === router.state.tab)?.name
  const chosen = named ?? (me.mayAdminister ? 'people' : 'account')
  return (
    <Stack gap={5}>
      {tabs.length > 1 && (
        <Flex>
          <TabList gap={2}>
            {tabs.map(({name, title}) => (
              <Tab
                aria-controls={`people-panel-${name}`}
                id={`people-tab-${name}`}
                key={name}
                label={title}
                onClick={() => router.navigate({tab: name})}
                selected={name === chosen}
              />
            ))}
          </TabList>
        </Flex>
      )}
      <TabPanel aria-labelledby={`people-tab-${chosen}`} id={`people-panel-${chosen}`}>
        {chosen === 'account' && <Account me={me} reload={reload} sites={sites} />}
        {chosen === 'people' && <PeopleList me={me} sites={sites} />}
        {chosen === 'tokens' && <TokenList me={me} sites={sites} />}
        {chosen === 'audit' && <AuditLog />}
      </TabPanel>
    </Stack>
  )
}

const SITES = '*[_type == "site"] | order(lower(name)) {_id, name}'

const NONE: readonly Site[] = []

/** The sites that may be named in rights. Empty until they are loaded: ids are shown instead of names. */
function useSites(): readonly Site[] {
  const client = useContent()
  const sites = useAnswer(
    useCallback(
      async (signal: AbortSignal) => {
        const options = {perspective: 'drafts', signal, tag: 'handrail.people'} as const
        const found = await client.fetch<{_id: string; name?: unknown}[]>(SITES, {}, options)
        return found.map(({_id, name}): Site => ({id: _id, name: siteName(name)}))
      },
      [client],
    ),
  )
  return sites.state === 'answered' ? sites.value : NONE
}
