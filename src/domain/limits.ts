/** Limits that more than one file needs, each with its unit and its reason. */

/**
 * Folds kept per session: the 64 of its semantic state (STATE_FOLDS), the 40 before them on which the drift score of the oldest depends
 * (DRIFT_HORIZON_FOLDS), and 8 to spare for erasures.
 */
export const FOLD_LOG_MAX = 112

/** Recent embeddings that `top_similarity` considers: five exchanges. Interface, Run response. */
export const RECENT_TOP_K = 10

/** Turns for which a realignment pulls towards the anchors: a state's half-life of 8 folds is four exchanges. */
export const REALIGNMENT_TURNS = 4

/** Questions that one answer may be linked to; beyond, the oldest link is dropped. Bounds a memory's row. */
export const REPLY_TO_MAX = 32

/**
 * Longest text of a message, answer or memory, in characters: some 50,000 tokens, which is more than models answer at once, yet can be read
 * and embedded in a few tenths of a second.
 */
export const TEXT_LENGTH_MAX = 200_000

/**
 * Words, and UTF-16 units, of the longest text whose facts are compared: several paragraphs. Longer texts state the same only if they are
 * equal except for white space: in so much text, a difference in one fact could not be told from the rest.
 */
export const FACT_WORDS_MAX = 400
export const FACT_LENGTH_MAX = 4_000

/** Quotations compared per text; a text with more counts as too long. Each is looked for in the whole of the other text. */
export const FACT_QUOTATIONS_MAX = 32

/**
 * Upper bounds per command on fact comparisons: texts, and their UTF-16 units in total. Some 30 ms of work. Beyond, every text counts as
 * different, because a false match is worse than a missed one.
 */
export const FACT_COMPARISONS_MAX = 128
export const FACT_COMPARED_LENGTH_MAX = 32_768

/** Neighbours of a text that one command examines for a match, beside memories of exactly the same text. Matches beyond are not found. */
export const NEIGHBOURS_MAX = 1_024

/** Characters. Interface, Limits: `session_id` in bodies. */
export const SESSION_ID_LENGTH_MAX = 128

/** Interface, Session id rules. */
export const SESSION_ID_PATTERN = /^[A-Za-z0-9_-]{1,128}$/

/** Characters. Interface, Limits: `user_id`. */
export const USER_ID_LENGTH_MAX = 128

/** Dimension of vectors. Interface, Limits: `dimension` on session create. */
export const DIMENSION_MAX = 16_384
export const DIMENSION_DEFAULT = 384

/** The largest finite single-precision number (IEEE 754), (2 - 2^-23) * 2^127: vectors are stored in this precision. */
export const FLOAT32_MAX = 3.402_823_466_385_288_6e38

/** Memories in a context listing. Interface, Limits: `top_k` on context. */
export const CONTEXT_TOP_K_MAX = 50
export const CONTEXT_TOP_K_DEFAULT = 5

/** Characters of each memory's text in a context listing. Interface, Limits: `max_text_chars` on context. */
export const CONTEXT_TEXT_CHARS_MAX = 100_000
export const CONTEXT_TEXT_CHARS_DEFAULT = 500

/** Results per search: enough to page by hand, few enough to rank in one step. */
export const SEARCH_TOP_K_MAX = 200
export const SEARCH_TOP_K_DEFAULT = 10

/** Distinct words of a query that are searched for, without stop words: some two pages of text. Of more, those in the fewest memories. */
export const SEARCH_TERMS_MAX = 256
/** Words with the same beginning as a query word that are examined as its variants, oldest first: a language has some hundreds. */
export const SEARCH_VARIANTS_MAX = 4_096
/** Approximate places in memories that one word search reads: some 10 ms. Beyond, the query's words in the most memories are left out. */
export const SEARCH_POSTINGS_MAX = 500_000

/** Distinct words by which a word search finds one memory, the first ones: about as many as a book has. Indexing them takes some 50 ms. */
export const INDEXED_WORDS_MAX = 32_768

/**
 * Memories per row. With more, a session comes back hardly sooner, and rewriting the row for a change to one of its memories takes longer:
 * 64 with vectors of 384 numbers are some 120 KiB.
 */
export const PACKED_MAX = 64

/** Default similarity from which a message counts as a paraphrase of an answered one. Interface, Run request. */
export const SHORT_CIRCUIT_THRESHOLD = 0.85

/**
 * Neighbours of a message, below that similarity, that are examined for a question in other words: some 2 ms of work, at 0.1 ms for each
 * single sentence.
 */
export const REWORDED_NEIGHBOURS_MAX = 16

/** Commands of one session that may wait for their step. More would wait longer than clients do: at 10 ms a step, 64 take 0.6 s. */
export const MAILBOX_COMMANDS_MAX = 64

/** Operations per node between acceptance and reply. Interface, Limits: worker thread pool, 200. */
export const OPERATIONS_IN_FLIGHT_MAX = 200

/** Operations in flight of one subject, whatever is configured: a quarter is left to others. */
export const SUBJECT_OPERATIONS_MAX = 150

/**
 * Commands of one subject that may wait at one admission of a node: at 100 ms each, with a few done at a time, the last one is reached
 * about when its caller gives up. Bytes of these commands: eight of the largest requests that are accepted by default.
 */
export const SUBJECT_WAITING_MAX = 256
export const SUBJECT_WAITING_BYTES_MAX = 32 * 1024 * 1024

/** The same for all subjects at one admission: sixteen with full queues. Beyond, each still has room for its share. */
export const WAITING_MAX = 4_096
export const WAITING_BYTES_MAX = 256 * 1024 * 1024

/** Records read at the same time: some 0.5 ms each in PostgreSQL. More would only lengthen its queue and hold more bodies in memory. */
export const ACTIVATIONS_MAX = 32

/** Records of one subject read at the same time: leaves room for three others that read as much. */
export const SUBJECT_ACTIVATIONS_MAX = 8

/** Heads read per call of the storage: some half a megabyte for sessions with all their days. */
export const HEADS_MAX = 64

/** Milliseconds for one call of the storage: ten thousand times its usual duration, and well under the 25 s that a draining node waits. */
export const STORAGE_MS_MAX = 5_000

/** Milliseconds for reading a whole record: 100,000 memories took up to 4 s from PostgreSQL, on a machine with other work. */
export const ACTIVATION_MS_MAX = 20_000

/** Milliseconds that a draining node waits for operations in flight: 5 s less than the 30 s that orchestrators grant by default. */
export const DRAIN_MS_MAX = 25_000

/** Milliseconds from the signal to the end of a node: 1 s less than those 30 s. Actors not passivated by then stay as last stored. */
export const STOP_MS_MAX = 29_000

/**
 * Longest deadline of any ask, in milliseconds. Outbox messages take longest: a region of a thousand clusters of twenty members took 6 s.
 */
export const ASK_MS_MAX = 60_000

/**
 * Milliseconds by which the age of an ask may be overestimated, at each of the at most two nodes that it passes. The receiver derives the
 * age by its own clock, from its last heartbeat that the sender had heard. Senders take no node for an owner that has been silent for 4 s.
 */
export const ASK_AGE_SLACK_MS = 5_000

/** Largest expected difference between the clocks of two nodes, in seconds. With a time service it is milliseconds. */
export const CLOCK_SKEW_S = 5

/**
 * Largest lag, in seconds, of a clock behind the times in a session for which the session continues from those times: a week, for clocks
 * set by hand. A time further ahead was wrong, and the next step abandons it.
 */
export const SET_BACK_S_MAX = 604_800

/**
 * Seconds for which requests that were carried out on a retry are remembered: as long as any copy of them may still be read. That is the
 * longest ask, twice the slack of its age, and twice the difference between two clocks.
 */
export const RETRIED_S = (ASK_MS_MAX + 2 * ASK_AGE_SLACK_MS) / 1_000 + 2 * CLOCK_SKEW_S

/** Seconds for which a removed record's requests are remembered: several times RETRIED_S, for clocks that are set while nodes run. */
export const TOMBSTONE_S = 600

/** Triggers per session; each is checked on every input. */
export const TRIGGERS_MAX = 256

/** Characters of a trigger's keyword, which is looked for in every input: a phrase, not a document. */
export const KEYWORD_LENGTH_MAX = 1_024

/** Characters of an embedding model's name in a request. The longest names of published models are below 100. */
export const MODEL_NAME_LENGTH_MAX = 256

/** Anchors per session; beyond a few dozen, fewer and broader ones describe a domain better. */
export const ANCHORS_MAX = 64

/** Messages of one chat request that a session with a closed isolation level screens: as many as one batch of memories. */
export const SCREENED_TEXTS_MAX = 1_000

/** Exclusion embeddings of a session's isolation; the same limit holds for allowlist embeddings. */
export const ISOLATION_VECTORS_MAX = 256

/** Interface, Limits: `similarity_threshold` on isolation. */
export const ISOLATION_THRESHOLD_DEFAULT = 0.7

/** Policy vectors per session; each is compared with every candidate of every search. */
export const POLICY_VECTORS_MAX = 256

/**
 * Pinned memories per session, and UTF-8 bytes of their texts in total, as every run considers them. Some 4,000 tokens, which is more than
 * most context blocks hold.
 */
export const PINNED_MEMORIES_MAX = 32
export const PINNED_BYTES_MAX = 16 * 1024

/** Inputs that quarantine holds; when full, it holds no more and drops nothing. */
export const HELD_INPUTS_MAX = 256

/** Memories per bulk ingest. Interface, extensions. */
export const INGEST_MEMORIES_MAX = 1_000

/**
 * Literal entities per session, UTF-8 bytes of one value, and of all keys, values and contexts together. Bounds what one session may pin in
 * memory.
 */
export const ENTITIES_MAX = 10_000
export const ENTITY_VALUE_BYTES_MAX = 2 * 1024 * 1024
export const ENTITY_BYTES_MAX = 64 * 1024 * 1024

/**
 * Words, with their stems, by which one entity is found beside those of its key, the first ones: a source file of a thousand lines has some
 * 2,000.
 */
export const ENTITY_WORDS_MAX = 8_192

/** Characters of an entity's value that are searched: a whole source file. The rest of a larger value is kept but not indexed. */
export const ENTITY_SEARCHED_CHARS_MAX = 65_536

/** Characters of an entity's key: fits a path of the usual file systems. */
export const ENTITY_KEY_LENGTH_MAX = 4_096

/** Test embeddings per verification. Interface, extensions. */
export const TEST_EMBEDDINGS_MAX = 256

/** Entities in one listing. Interface, Limits: `max_results` on entities. */
export const ENTITY_RESULTS_MAX = 1_000
export const ENTITY_RESULTS_DEFAULT = 20

/** Characters of the memories on one page, which then ends early: a thousand of the longest texts would be 200 MB. */
export const PAGE_CHARS_MAX = 4 * 1024 * 1024

/** Items per page of a listing. Interface, extensions. */
export const PAGE_MAX = 1_000
export const PAGE_DEFAULT = 100

/** Largest count, given or reached. Counters stop there, well before integers become inexact at 2^53. */
export const COUNT_MAX = 2 ** 52

/** Bound on epoch seconds, positive and negative: the first and last moments of ECMAScript dates (8.64e15 ms). */
export const TIME_MAX_S = 8.64e12

/** Undelivered outbox messages per actor: an hour of a busy session's, while a receiver is gone. */
export const OUTBOX_MESSAGES_MAX = 1_000

/** Concurrent calls of the model service. Each holds two sockets and its request, at most some 4 MiB unless larger bodies are allowed. */
export const UPSTREAM_CALLS_MAX = 1_000

/** Milliseconds to a model's first byte: as long as the official chat clients wait. */
export const MODEL_FIRST_BYTE_MS_MAX = 600_000

/** Drift events or anomalies per listing, and the number kept for listing. Interface, Limits. */
export const LOG_ENTRIES_MAX = 1_000
export const LOG_ENTRIES_DEFAULT = 20

/** Characters of a cluster's or region's name: one line of a listing. */
export const NAME_LENGTH_MAX = 256
