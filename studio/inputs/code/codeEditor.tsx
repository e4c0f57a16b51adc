import {autocompletion, type CompletionSource} from '@codemirror/autocomplete'
import {javascript} from '@codemirror/lang-javascript'
import {json} from '@codemirror/lang-json'
import {type Diagnostic, linter, lintGutter} from '@codemirror/lint'
import {EditorView} from '@codemirror/view'
import {Card} from '@sanity/ui'
import CodeMirror from '@uiw/react-codemirror'
import {useCallback, useMemo} from 'react'
import {type StringInputProps, set, unset, useColorSchemeValue} from 'sanity'

export type CodeEditorProps = {
  /** The field of the form that holds the text. Blank text unsets it. */
  readonly field: StringInputProps
  readonly language: 'javascript' | 'json'
  /** The accessible name of the editor. */
  readonly label: string
  /**
   * Returns the problems in a text. Must be stable between renders: it is part of the editor's configuration.
   */
  readonly check: (text: string) => Diagnostic[]
  readonly complete?: CompletionSource
}

/** Milliseconds after the last keystroke until the text is checked. */
const CHECK_DELAY = 300

/**
 * A code editor with line numbers, highlighting, inline problems and completion. Tab moves the focus, as in
 * any other field of the form; press Escape first to leave a list of completions.
 */
export function CodeEditor({field, language, label, check, complete}: CodeEditorProps) {
  const {value = '', readOnly = false, onChange, elementProps} = field
  const scheme = useColorSchemeValue()
  const change = useCallback((text: string) => onChange(text.trim() === '' ? unset() : set(text)), [onChange])
  const extensions = useMemo(
    () => [
      language === 'javascript' ? javascript() : json(),
      lintGutter(),
      linter((view) => check(view.state.doc.toString()), {delay: CHECK_DELAY}),
      ...(complete === undefined ? [] : [autocompletion({override: [complete]})]),
      EditorView.lineWrapping,
      EditorView.contentAttributes.of({'aria-label': label}),
    ],
    [language, check, complete, label],
  )
  return (
    <Card border overflow="hidden" radius={2}>
      <CodeMirror
        basicSetup={{foldGutter: false, highlightActiveLine: !readOnly, searchKeymap: false}}
        data-testid={`code-${language}`}
        editable={!readOnly}
        extensions={extensions}
        indentWithTab={false}
        maxHeight="60vh"
        minHeight="9em"
        theme={scheme === 'dark' ? 'dark' : 'light'}
        value={value}
        onBlur={elementProps.onBlur}
        onChange={change}
        onFocus={elementProps.onFocus}
      />
    </Card>
  )
}
