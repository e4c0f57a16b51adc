import {Badge, Card, Flex, Stack, Text} from '@sanity/ui'
import {useWorkspace} from 'sanity'
import {Link} from 'sanity/router'
import {Note} from '../install/parts.tsx'
import type {SiteSummary} from './siteSummary.ts'

/** A site in short, with links to its contents. */
export function SiteCard({site}: {site: SiteSummary}) {
  const {id, name, tools, formTools, off, drafts, problems} = site
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
          {problems.length > 0 && <Badge tone="critical">{counted(problems.length, 'problem')}</Badge>}
        </Flex>
        {problems.map((problem) => (
          <Note key={problem} tone="critical">
            {problem}
          </Note>
        ))}
      </Stack>
    </Card>
  )
}

function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`
}
