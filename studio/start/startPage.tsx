import {AddIcon} from '@sanity/icons/Add'
import {Box, Button, Card, Container, Flex, Grid, Heading, Stack, Text} from '@sanity/ui'
import {type ReactNode, useMemo, useRef} from 'react'
import {IntentLink} from 'sanity/router'
import type {StoredDocument} from '../../schemas/diagnosis/documents.ts'
import {Note} from '../install/parts.tsx'
import {useLiveDocuments} from '../live/liveDocuments.ts'
import {useFieldTitle} from '../parts/fieldTitle.ts'
import {Waiting} from '../parts/lazily.tsx'
import {type Me, parseMe} from '../people/access.ts'
import {PasswordHint} from '../people/passwordHint.tsx'
import {allows} from '../people/roles.ts'
import {useAccess} from '../people/useAccess.ts'
import {Help} from './help.tsx'
import {LakeProblems} from './lakeProblems.tsx'
import {LastChanges} from './lastChanges.tsx'
import {MakeTool} from './makeTool.tsx'
import {SiteCard} from './siteCard.tsx'
import {type SiteSummary, summarize} from './siteSummary.ts'

/** Maximum documents to load: more would make this page slow. The most recently changed ones come first. */
const MAX_DOCUMENTS = 3_000

const SELECTION = {
  query: `*[_type in $types] | order(_updatedAt desc) [0...${MAX_DOCUMENTS}]`,
  filter: '*[_type in $types]',
  params: {types: ['site', 'tool', 'formTool']},
}

/** The start page of a Studio for a lake, with what is wrong with the lake, and what the person may do. */
export function LakeStartPage() {
  const {loaded} = useAccess('/me', parseMe)
  const me = loaded.state === 'ready' ? loaded.value : undefined
  return (
    <Page
      isLake
      me={me}
      top={
        <>
          <LakeProblems />
          {me !== undefined && <PasswordHint me={me} />}
        </>
      }
    />
  )
}

/** The first page of Studio: the sites and their state, the last changes, and what to do next. */
export function StartPage() {
  return <Page />
}

type PageProps = {top?: ReactNode; me?: Me | undefined; isLake?: boolean}

function Page({top, me, isLake = false}: PageProps) {
  const live = useLiveDocuments(SELECTION)
  return (
    <Box height="fill" overflow="auto">
      <Container data-testid="start-page" paddingX={4} paddingY={5} width={3}>
        {top}
        {live.state === 'waiting' ? (
          <Waiting />
        ) : live.state === 'failed' ? (
          <Note tone="critical">{live.problem}</Note>
        ) : (
          <Overview documents={live.documents} isLake={isLake} me={me} />
        )}
      </Container>
    </Box>
  )
}

type OverviewProps = {documents: readonly StoredDocument[]; me: Me | undefined; isLake: boolean}

function Overview({documents, me, isLake}: OverviewProps) {
  const titleOf = useFieldTitle()
  const before = useRef<readonly SiteSummary[]>([])
  const sites = useMemo(() => {
    before.current = summarize(documents, titleOf, before.current)
    return before.current
  }, [documents, titleOf])
  // While this is not known, and with hosted Sanity, everything is offered.
  const mayAddSites = me === undefined || allows(me.rights, 'author', undefined)
  const editable = sites.filter(({id}) => me === undefined || allows(me.rights, 'author', id))
  return (
    <Stack gap={6}>
      <Flex align="center" gap={3} justify="space-between" wrap="wrap">
        <Heading as="h1" size={3}>
          Overview
        </Heading>
        <Flex gap={2}>
          {mayAddSites && (
            <Button
              as={IntentLink}
              icon={AddIcon}
              intent="create"
              mode="ghost"
              params={{type: 'site'}}
              text="Add a site"
            />
          )}
          {editable.length > 0 && <MakeTool sites={editable} />}
        </Flex>
      </Flex>
      {documents.length >= MAX_DOCUMENTS && (
        <Note tone="caution">
          Only the {MAX_DOCUMENTS.toLocaleString('en-US')} documents that changed last are counted here.
        </Note>
      )}
      <Grid gap={6} gridTemplateColumns={[1, 1, 1, 2]}>
        <Stack gap={4}>
          <Heading as="h2" size={1}>
            Sites
          </Heading>
          {sites.length === 0 && (
            <Card border padding={4} radius={2}>
              <Text muted size={1}>
                There is no site yet. A site is a website whose pages offer tools.{' '}
                {mayAddSites
                  ? 'Add the first one.'
                  : `You are ${me.rightsText}, so somebody else has to add one.`}
              </Text>
            </Card>
          )}
          <Stack as="ul" gap={3}>
            {sites.map((site) => (
              <SiteCard key={site.id} site={site} />
            ))}
          </Stack>
        </Stack>
        <Stack gap={6}>
          <LastChanges documents={documents} />
          <Help isLake={isLake} />
        </Stack>
      </Grid>
    </Stack>
  )
}
