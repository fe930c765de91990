/** A WordPiece vocabulary and its tokenizer files, as exporters write them. */

const SPECIALS = ['[PAD]', '[UNK]', '[CLS]', '[SEP]', '[MASK]']
const PLAIN_TOKEN = { single_word: false, lstrip: false, rstrip: false, normalized: false }
const LETTERS = 'abcdefghijklmnopqrstuvwxyz0123456789'
const PUNCTUATION = '.,!?;:\'"()[]{}<>/\\|@#$%^&*-_=+`~'
const WORDS = `the a an of to in is and for it on with that this as by from at or be are was were not you i we he she they my your our
memory session service vector query model text user agent cat cats dog dogs sat mat lazy quick brown fox jump jumps over rain weather
today sunny cold hot database index search deploy server runs run token license price cost money bank pay paid invoice coffee tea drink
food eat likes like loves love hates python java code function class variable bug error fix test build music song play movie watch book
read travel flight hotel city paris london tokyo`

/** Returns the pieces by id. They can spell any text of Latin letters and digits. */
export function createVocabulary(): readonly string[] {
  const characters = Array.from(LETTERS)
  const continued = characters.map((character) => `##${character}`)
  const pieces = [...SPECIALS, ...characters, ...continued, ...Array.from(PUNCTUATION), ...WORDS.split(/\s+/)]
  return [...new Set(pieces)]
}

/** Returns the contents of tokenizer.json and tokenizer_config.json. */
export function tokenizerFiles(vocabulary: readonly string[], lengthMax: number): Readonly<Record<string, unknown>> {
  const special = (id: string, type: number) => ({ SpecialToken: { id, type_id: type } })
  const sequence = (id: string, type: number) => ({ Sequence: { id, type_id: type } })
  const single = [special('[CLS]', 0), sequence('A', 0), special('[SEP]', 0)]
  return {
    'tokenizer_config.json': {
      tokenizer_class: 'BertTokenizer',
      do_lower_case: true,
      model_max_length: lengthMax,
      cls_token: '[CLS]',
      sep_token: '[SEP]',
      pad_token: '[PAD]',
      unk_token: '[UNK]',
      mask_token: '[MASK]'
    },
    'tokenizer.json': {
      version: '1.0',
      truncation: null,
      padding: null,
      added_tokens: SPECIALS.map((content, id) => ({ id, content, ...PLAIN_TOKEN, special: true })),
      normalizer: { type: 'BertNormalizer', clean_text: true, handle_chinese_chars: true, strip_accents: null, lowercase: true },
      pre_tokenizer: { type: 'BertPreTokenizer' },
      post_processor: {
        type: 'TemplateProcessing',
        single,
        pair: [...single, sequence('B', 1), special('[SEP]', 1)],
        special_tokens: {
          '[CLS]': { id: '[CLS]', ids: [vocabulary.indexOf('[CLS]')], tokens: ['[CLS]'] },
          '[SEP]': { id: '[SEP]', ids: [vocabulary.indexOf('[SEP]')], tokens: ['[SEP]'] }
        }
      },
      decoder: { type: 'WordPiece', prefix: '##', cleanup: true },
      model: {
        type: 'WordPiece',
        unk_token: '[UNK]',
        continuing_subword_prefix: '##',
        max_input_chars_per_word: 100,
        vocab: Object.fromEntries(vocabulary.map((piece, id) => [piece, id]))
      }
    }
  }
}
