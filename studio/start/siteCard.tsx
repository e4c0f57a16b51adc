import {Badge, Card, Flex, Stack, Text} from '@sanity/ui'
import {useWorkspace} from 'sanity'
import {IntentLink, Link} from 'sanity/router'
import {UNDERLINED} from '../activity/changeRow.tsx'
import {Note} from '../install/parts.tsx'
import type {SiteSummary} from './siteSummary.ts'

/** Maximum documents that are left out to name. */
const MAX_NAMED = 5

/** A site in short, with links to its contents. */
export function SiteCard({site}: {site: SiteSummary}) {
  const {id, name, tools, formTools, off, drafts, problems, leftOut} = site
  const wrong = problems.length + leftOut.length
  const {basePath} = useWorkspace()
  const home = `${basePath.replace(/\/$/, '')}/structure/sites;${id}`
  return (
    <Card as="li" border data-testid={`start-site-${name}`} padding={4} radius={2}>
      <Stack gap={4}>
        <Flex align="center" gap={3} justify="space-between" wrap="wrap">
          <Text size={2} weight="semibold">
            <Link href={home}>{name}</Link>
          </Text>
          <Flex gap={3}>
            {[
              ['Install', 'install'],
              ['On a page', 'page'],
              ['Activity', 'activity'],
            ].map(([title, pane]) => (
              <Text key={pane} size={1}>
                <Link href={`${home};${pane}`}>{title}</Link>
              </Text>
            ))}
          </Flex>
        </Flex>
        <Flex gap={2} wrap="wrap">
          <Badge tone={tools + formTools > 0 ? 'positive' : 'default'}>
            {tools + formTools === 0
              ? 'No tools on pages'
              : `${counted(tools, 'tool')} and ${counted(formTools, 'form tool')} on pages`}
          </Badge>
          {off > 0 && <Badge>{off} off</Badge>}
          {drafts > 0 && <Badge tone="caution">{counted(drafts, 'draft')} not published</Badge>}
          {wrong > 0 && <Badge tone="critical">{counted(wrong, 'problem')}</Badge>}
        </Flex>
        {problems.map((problem) => (
          <Note key={problem} tone="critical">
            {problem}
          </Note>
        ))}
        {leftOut.length > 0 && (
          <Note tone="critical">
            Left out:{' '}
            {leftOut.slice(0, MAX_NAMED).map(({id: toolId, type, name: toolName}, index) => (
              <span key={toolId}>
                {index > 0 && ', '}
                <IntentLink intent="edit" params={{id: toolId, type}} style={UNDERLINED}>
                  {toolName}
                </IntentLink>
              </span>
            ))}
            {leftOut.length > MAX_NAMED && ` and ${leftOut.length - MAX_NAMED} more`}. The form says why.
          </Note>
        )}
      </Stack>
    </Card>
  )
}

function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`
}
