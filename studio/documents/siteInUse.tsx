import {Stack, Text} from '@sanity/ui'
import {publishedIdOf} from '../../schemas/documentId.ts'
import {checkedAction} from '../live/checkedAction.tsx'

/**
 * Sanity's action that deletes or unpublishes a site, for a site without tools. Otherwise it says what to do first:
 * Sanity offers "Delete anyway", which the Content Lake refuses, because the tools reference the site.
 */
export const unlessInUse = checkedAction('UnlessInUse', {
  check: async (client, {id}) => {
    const ids = await client.fetch<string[]>(TOOLS, {siteId: id}, {perspective: 'raw'})
    return new Set(ids.map(publishedIdOf)).size || undefined
  },
  failed: 'The tools of this site could not be counted. Try again.',
  header: () => 'This site still has tools',
  content: (count, verb) => <FirstTheTools count={count} verb={verb} />,
})

const TOOLS = '*[_type in ["tool", "formTool"] && site._ref == $siteId]._id'

function FirstTheTools({count, verb}: {count: number; verb: string}) {
  const tools = count === 1 ? 'the tool' : `the ${count} tools`
  return (
    <Stack data-testid="site-in-use" gap={4}>
      <Text size={1}>
        To {verb} this site, first delete {tools} that belong to it, drafts included, or move them to another
        site: open a tool and choose “Move to another site” in its menu.
      </Text>
      <Text size={1}>To only remove all tools from its pages, choose “Switch off all tools”.</Text>
    </Stack>
  )
}
