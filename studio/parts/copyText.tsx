import {CopyIcon} from '@sanity/icons/Copy'
import {Box, Card, Flex} from '@sanity/ui'
import {Code} from '@sanity/ui/code'
import {useToast} from '@sanity/ui/toast'
import {SmallButton} from './layout.tsx'

const WRAPPED = {whiteSpace: 'pre-wrap', overflowWrap: 'anywhere'} as const

/** A function that copies a text, and says whether that worked. */
export function useCopy(): (text: string) => Promise<void> {
  const toast = useToast()
  return async (text) => {
    // The clipboard is only available in a secure context.
    const isCopied = await navigator.clipboard?.writeText(text).then(
      () => true,
      () => false,
    )
    toast.push(
      isCopied
        ? {id: 'copy', status: 'success', title: 'Copied'}
        : {id: 'copy', status: 'warning', title: 'Your browser cannot copy here: select the text'},
    )
  }
}

/**
 * A text with a button that copies it.
 * @param name for tests
 */
export function CopyText({name, text}: {name: string; text: string}) {
  const copy = useCopy()
  return (
    <Card border padding={2} radius={2} tone="transparent">
      <Flex align="flex-start" gap={2}>
        <Box flex={1} padding={2}>
          <Code data-testid={`text-${name}`} size={1} style={WRAPPED}>
            {text}
          </Code>
        </Box>
        <SmallButton
          data-testid={`text-${name}-copy`}
          icon={CopyIcon}
          mode="bleed"
          onClick={() => void copy(text)}
          text="Copy"
        />
      </Flex>
    </Card>
  )
}
