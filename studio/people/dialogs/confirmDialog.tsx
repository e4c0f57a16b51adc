import {Box, Button, Flex, Stack, Text} from '@sanity/ui'
import {StudioDialog} from '../../parts/dialog.tsx'

type ConfirmDialogProps = {
  title: string
  text: string
  /** The label of the button that confirms. */
  action: string
  onConfirm: () => void
  onClose: () => void
}

/** Asks before something that cannot be undone. */
export function ConfirmDialog({title, text, action, onConfirm, onClose}: ConfirmDialogProps) {
  return (
    <StudioDialog header={title} id="people-confirm" onClose={onClose} width={0}>
      <Box padding={4}>
        <Stack gap={5}>
          <Text size={1}>{text}</Text>
          <Flex gap={2} justify="flex-end">
            <Button fontSize={1} mode="bleed" onClick={onClose} text="Cancel" />
            <Button
              data-testid="confirm"
              fontSize={1}
              mode="ghost"
              onClick={() => {
                onClose()
                onConfirm()
              }}
              text={action}
              tone="critical"
            />
          </Flex>
        </Stack>
      </Box>
    </StudioDialog>
  )
}
