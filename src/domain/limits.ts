/** Every limit that more than one file needs, with its unit and its reason. */

/**
 * Folds a session keeps: the 64 of its semantic state (STATE_FOLDS), the 40 before them that the drift score of the oldest
 * depends on (DRIFT_HORIZON_FOLDS), and 8 to spare for erasures.
 */
export const FOLD_LOG_MAX = 112

/** Recent embeddings that `top_similarity` looks at: five exchanges. Interface, Run response. */
export const RECENT_TOP_K = 10

/** Turns that a realignment pulls towards the anchors: a state's half-life of 8 folds is four exchanges. */
export const REALIGNMENT_TURNS = 4

/** Questions that one answer may serve; beyond, the oldest link goes. Bounds a memory's row. */
export const REPLY_TO_MAX = 32

/**
 * Longest text of one message, answer or memory, in characters: some 50,000 tokens, above what models answer at once, and
 * still read and embedded in a few tenths of a second.
 */
export const TEXT_LENGTH_MAX = 200_000

/**
 * Words, and UTF-16 units, of the longest text whose facts are compared: several paragraphs. Of longer ones only those that are
 * the same but for white space state the same; that they differ in one fact could not be told from the rest.
 */
export const FACT_WORDS_MAX = 400
export const FACT_LENGTH_MAX = 4_000

/** Quotations that one text's facts may hold; with more it counts as too long. Each is looked for in the whole of the other text. */
export const FACT_QUOTATIONS_MAX = 32

/**
 * What one command compares by its facts at most: texts, and their UTF-16 units together. Some 30 ms of work. Beyond, every text
 * counts as different, for a false match is worse than a missed one.
 */
export const FACT_COMPARISONS_MAX = 128
export const FACT_COMPARED_LENGTH_MAX = 32_768

/**
 * Neighbours of a text that one command looks through for a match, beside the memories of the very same text: what lies behind them is not
 * found.
 */
export const NEIGHBOURS_MAX = 1_024

/** Characters. Interface, Limits: `session_id` in bodies. */
export const SESSION_ID_LENGTH_MAX = 128

/** Interface, Session id rules. */
export const SESSION_ID_PATTERN = /^[A-Za-z0-9_-]{1,128}$/

/** Characters. Interface, Limits: `user_id`. */
export const USER_ID_LENGTH_MAX = 128

/** Numbers in a vector. Interface, Limits: `dimension` on session create. */
export const DIMENSION_MAX = 16_384
export const DIMENSION_DEFAULT = 384

/** The largest finite single-precision number (IEEE 754), (2 - 2^-23) * 2^127: vectors are kept in this precision. */
export const FLOAT32_MAX = 3.402_823_466_385_288_6e38

/** Memories in a context listing. Interface, Limits: `top_k` on context. */
export const CONTEXT_TOP_K_MAX = 50
export const CONTEXT_TOP_K_DEFAULT = 5

/** Characters of each memory's text in a context listing. Interface, Limits: `max_text_chars` on context. */
export const CONTEXT_TEXT_CHARS_MAX = 100_000
export const CONTEXT_TEXT_CHARS_DEFAULT = 500

/** Results of one search; enough to page by hand, small enough to rank in one step. */
export const SEARCH_TOP_K_MAX = 200
export const SEARCH_TOP_K_DEFAULT = 10

/**
 * Distinct words of one query that are searched for, stop words not counted: some two pages of text. Of more, those in the fewest memories.
 */
export const SEARCH_TERMS_MAX = 256
/** Words that begin like one of the query and are looked at as variants of it, oldest first: a language has some hundreds. */
export const SEARCH_VARIANTS_MAX = 4_096
/** Places in memories that one search by words reads, about: some 10 ms. A query of more leaves out the words in the most memories. */
export const SEARCH_POSTINGS_MAX = 500_000

/**
 * Distinct words of one memory that a search by words finds it by, the first ones: a book has about as many. Indexing them takes some 50
 * ms.
 */
export const INDEXED_WORDS_MAX = 32_768

/**
 * Memories that are stored in one row. With more, a session comes back hardly sooner, and a row takes longer to write again when one of its
 * memories changes: 64 with vectors of 384 numbers are some 120 KiB.
 */
export const PACKED_MAX = 64

/** Similarity from which a message counts as a paraphrase of an answered one, unless the call says otherwise. Interface, Run request. */
export const SHORT_CIRCUIT_THRESHOLD = 0.85

/**
 * Neighbours of a message, of less than that similarity, that are looked through for a question in other words: some 2 ms of work, as
 * single sentences take 0.1 ms each.
 */
export const REWORDED_NEIGHBOURS_MAX = 16

/** Commands of one session that wait for their step. More would wait longer than a client does: at 10 ms a step, 64 are 0.6 s. */
export const MAILBOX_COMMANDS_MAX = 64

/** Operations of one node between acceptance and reply. Interface, Limits: worker thread pool, 200. */
export const OPERATIONS_IN_FLIGHT_MAX = 200

/** Those of one subject, whatever is configured: a quarter is left to others. */
export const SUBJECT_OPERATIONS_MAX = 150

/**
 * Commands of one subject that wait for their turn at one door of a node: at 100 ms each, with a few done at a time, the last one comes
 * to its turn about when it is given up. Their bytes: eight of the largest requests that are accepted by default.
 */
export const SUBJECT_WAITING_MAX = 256
export const SUBJECT_WAITING_BYTES_MAX = 32 * 1024 * 1024

/** The same for all subjects at one door: sixteen that fill their queues. Beyond, each has room for its share. */
export const WAITING_MAX = 4_096
export const WAITING_BYTES_MAX = 256 * 1024 * 1024

/** Records read at the same time: some 0.5 ms each in PostgreSQL; more only lengthen its queue and hold their bodies in memory. */
export const ACTIVATIONS_MAX = 32

/** Those of one subject: three others that read as much find a place. */
export const SUBJECT_ACTIVATIONS_MAX = 8

/** Heads read by one call of the storage: of sessions with all their days some half a megabyte. */
export const HEADS_MAX = 64

/** Milliseconds for one call of the storage: ten thousand times its usual answer, well under the 25 s a draining node waits. */
export const STORAGE_MS_MAX = 5_000

/** Milliseconds for reading a whole record: 100,000 memories took up to 4 s from PostgreSQL, on a machine with other work. */
export const ACTIVATION_MS_MAX = 20_000

/** Milliseconds that a draining node waits for operations in flight: 5 s under the 30 s that orchestrators grant by default. */
export const DRAIN_MS_MAX = 25_000

/** Milliseconds from the signal to the end of a node: what is not put away by then stays as it was stored last. 1 s under those 30 s. */
export const STOP_MS_MAX = 29_000

/**
 * Milliseconds that anything may be asked for. The longest are outbox messages: a region of a thousand clusters of twenty members took 6 s.
 */
export const ASK_MS_MAX = 60_000

/**
 * Milliseconds that an ask may seem older than it is, at each of the two nodes that it passes at most: the receiver tells its age by its
 * own clock, from its last heartbeat that the sender had heard. Senders take no node for an owner that has been silent for 4 s.
 */
export const ASK_AGE_SLACK_MS = 5_000

/** Seconds that the clocks of two nodes may differ by. Those of a time service differ by milliseconds. */
export const CLOCK_SKEW_S = 5

/**
 * Seconds that a clock may be behind what a session has written down, which is then gone on from: a week, for clocks that somebody set by
 * hand. A time further ahead was wrong, and is left at the next step.
 */
export const SET_BACK_S_MAX = 604_800

/**
 * Seconds for which a request is remembered that was carried out when it had been tried before. As long as any copy of it may still be
 * read: the longest ask, twice the slack of its age, and what two clocks differ by, there and back.
 */
export const RETRIED_S = (ASK_MS_MAX + 2 * ASK_AGE_SLACK_MS) / 1_000 + 2 * CLOCK_SKEW_S

/** Seconds for which a removed record's requests are remembered: as above several times over, for clocks that are set while nodes run. */
export const TOMBSTONE_S = 600

/** Triggers of a session; each costs a look at every input. */
export const TRIGGERS_MAX = 256

/** Characters of a trigger's keyword. It is looked for in every input: a phrase, not a document. */
export const KEYWORD_LENGTH_MAX = 1_024

/** Characters of an embedding model's name, as it is asked for. The longest names of published models are below 100. */
export const MODEL_NAME_LENGTH_MAX = 256

/** Anchors of a session; beyond a few dozen a domain is better described by fewer, broader ones. */
export const ANCHORS_MAX = 64

/** Messages of one chat request that a session with a closed isolation level looks at: as many as one batch of memories. */
export const SCREENED_TEXTS_MAX = 1_000

/** Exclusion embeddings, and as many allowlist embeddings, of a session's isolation. */
export const ISOLATION_VECTORS_MAX = 256

/** Interface, Limits: `similarity_threshold` on isolation. */
export const ISOLATION_THRESHOLD_DEFAULT = 0.7

/** Policy vectors of a session: each is compared with every candidate of every search. */
export const POLICY_VECTORS_MAX = 256

/**
 * Memories of a session that are kept by hand, and UTF-8 bytes of their texts together: what every run looks at. Some 4,000 tokens, above
 * what most context blocks hold at all.
 */
export const PINNED_MEMORIES_MAX = 32
export const PINNED_BYTES_MAX = 16 * 1024

/** Inputs that quarantine holds; a full list holds no more, and drops nothing. */
export const HELD_INPUTS_MAX = 256

/** Memories of one bulk ingest. Interface, extensions. */
export const INGEST_MEMORIES_MAX = 1_000

/**
 * Literal entities of a session, UTF-8 bytes of one value, and of all keys, values and contexts together: what one session may pin in
 * memory.
 */
export const ENTITIES_MAX = 10_000
export const ENTITY_VALUE_BYTES_MAX = 2 * 1024 * 1024
export const ENTITY_BYTES_MAX = 64 * 1024 * 1024

/**
 * Words that one entity is found by beside those of its key, the first ones and their stems: a source file of a thousand lines has some
 * 2,000.
 */
export const ENTITY_WORDS_MAX = 8_192

/** Characters of an entity's value that are searched: a whole source file; the rest of a larger one is kept, not indexed. */
export const ENTITY_SEARCHED_CHARS_MAX = 65_536

/** Characters of an entity's key: a path of the file systems in use fits. */
export const ENTITY_KEY_LENGTH_MAX = 4_096

/** Test embeddings of one verification. Interface, extensions. */
export const TEST_EMBEDDINGS_MAX = 256

/** Entities in one listing. Interface, Limits: `max_results` on entities. */
export const ENTITY_RESULTS_MAX = 1_000
export const ENTITY_RESULTS_DEFAULT = 20

/** Characters of the memories of one page, which then ends early: a page of a thousand of the longest texts would be 200 MB. */
export const PAGE_CHARS_MAX = 4 * 1024 * 1024

/** Items of one page of a listing. Interface, extensions. */
export const PAGE_MAX = 1_000
export const PAGE_DEFAULT = 100

/** Largest count, given or reached: counters stop there, well before integers lose their last digit at 2^53. */
export const COUNT_MAX = 2 ** 52

/** Epoch seconds, before and after: the first and last moments that ECMAScript knows as dates (8.64e15 ms). */
export const TIME_MAX_S = 8.64e12

/** Undelivered outbox messages of one actor: an hour of a busy session's, with a receiver that is gone for so long. */
export const OUTBOX_MESSAGES_MAX = 1_000

/** Calls of the model service at a time: each holds two sockets and its request, some 4 MiB at most unless larger bodies are let in. */
export const UPSTREAM_CALLS_MAX = 1_000

/** Milliseconds that a model may think before its first byte: what the official chat clients themselves wait. */
export const MODEL_FIRST_BYTE_MS_MAX = 600_000

/** Drift events or anomalies in one listing, and those that are kept to be listed. Interface, Limits. */
export const LOG_ENTRIES_MAX = 1_000
export const LOG_ENTRIES_DEFAULT = 20

/** Characters of a cluster's or region's name: a line of a listing. */
export const NAME_LENGTH_MAX = 256
