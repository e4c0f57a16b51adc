import {Box, Container, Flex, Heading, Stack, Tab, TabList, TabPanel} from '@sanity/ui'
import {useRouter} from 'sanity/router'
import {NotLoaded} from '../live/notLoaded.tsx'
import type {Me} from './access.ts'
import {Account} from './account/account.tsx'
import {AuditLog} from './auditLog.tsx'
import {PeopleList} from './peopleList.tsx'
import {TokenList} from './tokenList.tsx'
import {useAccess} from './useAccess.ts'
import {useSites} from './useSites.ts'

/** Everyone sees their own rights and sessions here; administrators also manage people and tokens. */
export function PeoplePage() {
  const loaded = useAccess<Me>('/me')
  return (
    <Box height="fill" overflow="auto">
      <Container data-testid="people-page" paddingX={4} paddingY={5} width={2}>
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
