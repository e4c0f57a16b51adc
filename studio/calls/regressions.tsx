import {RevertIcon} from '@sanity/icons/Revert'
import {Card, Flex, Stack, Text} from '@sanity/ui'
import {useMemo} from 'react'
import {Link, useRouter} from 'sanity/router'
import {groupVersions, type StoredDocument, type Versions} from '../../schemas/documents.ts'
import {textOf} from '../../schemas/rules/text.ts'
import type {Change} from '../activity/activity.ts'
import {namesOf} from '../activity/names.ts'
import {useActivity} from '../activity/useActivity.ts'
import {useSend} from '../live/useSend.ts'
import {useAddresses} from '../parts/addresses.ts'
import {SmallButton} from '../parts/layout.tsx'
import {UNDERLINED} from '../parts/underlined.ts'
import {findRegressions, type Publish, type Regression} from './publishes.ts'
import type {SiteCalls} from './report.ts'
import {revertToBefore} from './revert.ts'
import {regressionText} from './words.ts'

type RegressionsProps = {
  siteId: string
  calls: SiteCalls
  documents: readonly StoredDocument[]
  /** Only of this tool. */
  toolId?: string
}

/** The publishes since which more calls fail, each with a way back. */
export function Regressions({siteId, calls, documents, toolId}: RegressionsProps) {
  const found = useRegressions(siteId, calls, documents)
  const names = namesOf(documents)
  const shown = found.flatMap((regression) => {
    const versions = groupVersions(documents).find(({id}) => id === regression.tool)
    const isShown = versions !== undefined && (toolId === undefined || toolId === versions.id)
    return isShown ? {regression, versions} : []
  })
  if (shown.length === 0) return null
  return (
    <Stack gap={3}>
      {shown.map(({regression, versions}) => {
        const name = names.get(versions.id) ?? versions.id
        return (
          <RegressionNote
            key={versions.id}
            name={name}
            text={regressionText(regression, name, calls.now)}
            time={regression.publishes[0].time}
            versions={versions}
          />
        )
      })}
    </Stack>
  )
}

type RegressionNoteProps = {
  /** Of the tool. */
  name: string
  text: string
  /** Of the publish to revert. */
  time: number
  versions: Versions
}

function RegressionNote({name, text, time, versions: {id, type, draft}}: RegressionNoteProps) {
  const addresses = useAddresses()
  const router = useRouter()
  const {isBusy, run} = useSend()
  const form = addresses.form(type, id)
  const revert = async () => {
    const done = 'This draft has the version before. Publish it to use it on pages again.'
    if (await run(done, (client) => revertToBefore(client, id, time))) router.navigateUrl({path: form})
  }
  return (
    <Card border data-testid="calls-regression" padding={3} radius={2} role="status" tone="caution">
      <Flex align="center" gap={3} justify="space-between" wrap="wrap">
        <Text size={1}>
          {text}{' '}
          {draft !== undefined && (
            <>
              To revert it:{' '}
              <Link href={form} style={UNDERLINED}>
                publish or discard its draft
              </Link>{' '}
              first.
            </>
          )}
        </Text>
        {draft === undefined && (
          <SmallButton
            aria-label={`Revert ${name}`}
            disabled={isBusy}
            icon={RevertIcon}
            onClick={() => void revert()}
            text="Revert"
          />
        )}
      </Flex>
    </Card>
  )
}

/** Publishes to look at. */
const MAX_PUBLISHES = 100

/** The publishes of a site's tools since which more of their calls fail. */
function useRegressions(
  siteId: string,
  calls: SiteCalls,
  documents: readonly StoredDocument[],
): Regression[] {
  const {answer} = useActivity(siteId, MAX_PUBLISHES, documents)
  const isKnown = answer.state === 'answered'
  const changes = isKnown ? answer.value?.activity.changes : undefined
  return useMemo(
    () => (isKnown ? findRegressions(changes?.map(publishOf) ?? lastPublishes(documents), calls) : []),
    [isKnown, changes, calls, documents],
  )
}

function publishOf({commit, writers, name, timestamp, documents}: Change): Publish {
  return {
    commit,
    author: writers || name,
    time: Date.parse(timestamp),
    // A new tool has no version to go back to.
    tools: documents.flatMap(({id, change}) => (change === 'updated' ? id : [])),
  }
}

/** What hosted Sanity says of publishes: when each document last changed. */
function lastPublishes(documents: readonly StoredDocument[]): Publish[] {
  return groupVersions(documents).flatMap(({id, published}) => {
    const time = Date.parse(textOf(published?._updatedAt))
    return Number.isNaN(time) ? [] : {commit: '', author: '', time, tools: [id]}
  })
}
