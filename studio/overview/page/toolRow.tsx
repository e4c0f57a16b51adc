import {BoltIcon} from '@sanity/icons/Bolt'
import {ClipboardIcon} from '@sanity/icons/Clipboard'
import {Box, Card, Flex, Stack, Text} from '@sanity/ui'
import {usePaneRouter} from 'sanity/structure'
import type {ToolOnPage} from '../../../schemas/diagnosis/page.ts'
import {describeDraft, explain} from '../../../schemas/diagnosis/words.ts'
import {useFieldTitle} from '../fieldTitle.ts'
import {StateBadge} from '../stateBadge.tsx'

const KINDS = {
  tool: {Icon: BoltIcon, title: 'Tool'},
  formTool: {Icon: ClipboardIcon, title: 'Form tool'},
}

/** A tool in the list of a page. It opens the document next to the list. */
export function ToolRow(props: {tool: ToolOnPage; advice: readonly string[]; isFirst: boolean}) {
  const {tool, advice, isFirst} = props
  const {ChildLink} = usePaneRouter()
  const titleOf = useFieldTitle()
  const {Icon, title} = KINDS[tool.type]
  const draft = describeDraft(tool, titleOf)
  const lines = [...explain(tool, titleOf), ...(draft === undefined ? [] : [draft]), ...advice]
  return (
    <Card as="li" borderTop={!isFirst} data-testid={`page-tool-${tool.name}`}>
      <Card as={ChildLink} childId={tool.id} childParameters={{type: tool.type}} data-as="a" padding={3}>
        <Flex gap={3}>
          <Box paddingY={1}>
            <Text muted size={1}>
              <Icon aria-label={title} />
            </Text>
          </Box>
          <Stack flex={1} gap={3}>
            <Flex align="center" gap={2} justify="space-between" wrap="wrap">
              <Text size={1} weight="medium">
                {tool.name}
              </Text>
              <StateBadge reasons={tool.reasons} />
            </Flex>
            {lines.map((line) => (
              <Text key={line} muted size={1}>
                {line}
              </Text>
            ))}
          </Stack>
        </Flex>
      </Card>
    </Card>
  )
}
