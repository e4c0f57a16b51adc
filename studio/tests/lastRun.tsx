import {Stack, Text} from '@sanity/ui'
import {RelativeTime} from 'sanity'
import {Link} from 'sanity/router'
import {groupVersions, type StoredDocument} from '../../schemas/documents.ts'
import {useAddresses} from '../parts/addresses.ts'
import {Note} from '../parts/layout.tsx'
import {UNDERLINED} from '../parts/underlined.ts'
import {describeCounts, type SiteTests, shortCommit, type TestRun} from './report.ts'

/** The last run of the tests of a site in one line, such as "Tests passed 2 hours ago, at abc1234". */
export function LastRun({run}: {run: TestRun | undefined}) {
  const outcome = run && describeCounts(run, Date.now())
  if (run === undefined || outcome === undefined) return null
  const isFailed = run.failed > 0
  return (
    <Text
      data-testid="last-tests"
      muted={!isFailed}
      size={1}
      {...(isFailed && {style: {color: 'var(--card-badge-critical-fg-color)'}})}
    >
      {outcome}
      {isFailed ? '. Last run ' : ' '}
      <RelativeTime time={run.at} useTemporalPhrase />
      {run.commit !== '' && `, at ${shortCommit(run.commit)}`}
    </Text>
  )
}

type FailedTestsProps = {
  readonly tests: SiteTests | undefined
  readonly documents: readonly StoredDocument[]
  readonly siteId: string
}

/** The tools of a site whose tests failed in the last run, and why. */
export function FailedTests({tests, documents, siteId}: FailedTestsProps) {
  const addresses = useAddresses()
  const failed = (tests?.tools ?? []).filter((tool) => tool.failed > 0)
  if (failed.length === 0) return null
  const types = new Map(groupVersions(documents).map(({id, type}) => [id, type]))
  return (
    <Stack gap={3}>
      {failed.map((tool) => {
        const {id, name, problem} = tool
        const type = types.get(id)
        return (
          <Note key={id} tone="caution">
            {type === undefined ? (
              name
            ) : (
              <Link href={addresses.tool(siteId, type, id)} style={UNDERLINED}>
                {name}
              </Link>
            )}
            : {describeCounts(tool, Date.now())}. {problem}
          </Note>
        )
      })}
    </Stack>
  )
}
