import {useState} from 'preact/hooks'

/** Copies a text, and says whether that worked. */
export function CopyButton({label, text}: {label: string; text: string}) {
  const [isCopied, setCopied] = useState<boolean>()
  const copy = async () => {
    try {
      // Missing on pages without TLS.
      await navigator.clipboard.writeText(text)
      setCopied(true)
    } catch {
      setCopied(false)
    }
  }
  return (
    <>
      <button type="button" onClick={() => void copy()}>
        {label}
      </button>{' '}
      <span role="status">
        {isCopied === true && 'Copied.'}
        {isCopied === false && 'The browser refused. Select the text and copy it.'}
      </span>
    </>
  )
}
