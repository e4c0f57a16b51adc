import {Stack, Text} from '@sanity/ui'
import {useToast} from '@sanity/ui/toast'
import {useState} from 'react'
import {publishedIdOf} from '../../schemas/documentId.ts'
import {useContent} from '../live/useContent.ts'
import {menuDialog} from '../parts/dialog.tsx'
import {replacedAction} from '../parts/replacedAction.ts'

/**
 * Sanity's action that deletes or unpublishes a site, for a site without tools. Otherwise it says what to do first:
 * Sanity offers "Delete anyway", which the Content Lake refuses, because the tools reference the site.
 */
export const unlessInUse = replacedAction('UnlessInUse', (action) => (props) => {
  const description = action(props)
  const client = useContent()
  const toast = useToast()
  const [count, setCount] = useState(0)
  if (description === null) return null
  const proceedUnlessInUse = async () => {
    try {
      const ids = await client.fetch<string[]>(TOOLS, {siteId: props.id}, {perspective: 'raw'})
      const found = new Set(ids.map(publishedIdOf)).size
      if (found === 0) description.onHandle?.()
      else setCount(found)
    } catch {
      toast.push({status: 'error', title: 'The tools of this site could not be counted. Try again.'})
    }
  }
  return {
    ...description,
    onHandle: () => void proceedUnlessInUse(),
    ...(count > 0 && {
      dialog: menuDialog(
        'This site still has tools',
        <FirstTheTools count={count} verb={action.action === 'delete' ? 'delete' : 'unpublish'} />,
        () => setCount(0),
      ),
    }),
  }
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
