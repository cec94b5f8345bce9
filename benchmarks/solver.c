/* The C yardstick of double dummy: the search of pitchsim/engine/search.py for one table.
 *
 * The same bounds, table, equals, order of plays and questions, down to the same number of nodes;
 * but for four players by the rules of `partners` alone, compiled for this very processor, and
 * recursive. What the pitcher's side can force in points is found, not whether it wins every trick.
 *
 * Cards are the engine's: lanes of 13 bits, trump the uppermost. Seats 0 and 2 are the pitcher's
 * side, seat 0 has the first lead.
 */
#include <stdint.h>
#include <time.h>

typedef int64_t i64;
typedef uint64_t u64;

enum { PLAYERS = 4, HAND_SIZE = 6, TABLE_BITS = 13, SUIT_BITS = 13, TRUMP_AT = 39 };
enum { TEN = 8, JACK = 9, QUEEN = 10, KING = 11, ACE = 12 };
#define SUIT 0x1FFFull
#define TRUMP (SUIT << TRUMP_AT)
#define RANK(r) (0x8004002001ull << (r))
#define ACES RANK(ACE)
#define FACTOR 0x9E3779B97F4A7C15ull

/* Of the card points of a card, what has the bit 1, 2, 4, 8 in it. */
#define ONES (RANK(JACK) | RANK(KING))
#define TWOS (RANK(QUEEN) | RANK(KING) | RANK(TEN))
#define FOURS RANK(ACE)
#define EIGHTS RANK(TEN)
#define COUNTERS (ONES | TWOS | FOURS | EIGHTS)

/* A trick in hand, or complete: then `led`, `best` and `turn` are 0. */
typedef struct {
    u64 left, led, best, trick;
    int leader, turn, winner;
    int need;   /* the points yet to be won */
    int ahead;  /* our card points less theirs */
    int decided; /* who has Game */
} Position;

/* The leads in card points that were enough, and that were not. */
typedef struct {
    u64 key;
    uint32_t search;
    int16_t enough, too_little;
} Entry;

enum { NO_LEAD = 1 << 7, NEVER_ENOUGH = 255, NEVER_TOO_LITTLE = 0, DOES_NOT_MATTER = 1 };

static Entry table[1 << TABLE_BITS];
static uint32_t searches;
static i64 nodes;
static u64 hands[PLAYERS], our_cards;
static u64 worth_one, worth_two; /* the cards whose points have the bit 1, 2 in them */
static int value_of_card[64];    /* what it matters who wins it, for the order of plays */

static inline int size(u64 cards) { return __builtin_popcountll(cards); }
static inline u64 lowest(u64 cards) { return cards & -cards; }
static inline u64 highest(u64 cards) { return 1ull << (63 - __builtin_clzll(cards)); }
static inline u64 above_all(u64 cards) { return cards ? -2ull << (63 - __builtin_clzll(cards)) : ~0ull; }
static inline int seat_after(int seat, int turns) { return (seat + turns) & (PLAYERS - 1); }
static inline int is_ours(int seat) { return !(seat & 1); }

static inline int points_of(u64 cards)
{
    return size(cards & worth_one) + 2 * size(cards & worth_two);
}

static inline int card_points(u64 cards)
{
    return size(cards & ONES) + 2 * size(cards & TWOS) + 4 * size(cards & FOURS) +
           8 * size(cards & EIGHTS);
}

static inline u64 suit_of(u64 card)
{
    return SUIT << (__builtin_ctzll(card) / SUIT_BITS * SUIT_BITS);
}

/* Write the position after a card, and say whether the trick is complete. */
static inline int play(const Position *before, u64 card, Position *after)
{
    const int seat = seat_after(before->leader, before->turn);
    *after = *before;
    after->left ^= card;
    if (before->turn == 0) {
        after->led = suit_of(card);
        after->best = after->trick = card;
        after->winner = seat;
    } else {
        after->trick |= card;
        if ((card & (before->led | TRUMP)) > before->best) {
            after->best = card;
            after->winner = seat;
        }
    }
    if (++after->turn < PLAYERS)
        return 0;
    const int points = card_points(after->trick);
    if (is_ours(after->winner)) {
        after->need -= points_of(after->trick);
        after->ahead += points;
    } else {
        after->ahead -= points;
    }
    after->leader = after->winner;
    after->turn = 0;
    after->led = after->best = 0;
    return 1;
}

/* Leave of neighbours in one hand that are worth the same the lowest only. */
static inline u64 without_equals(const Position *position, u64 cards)
{
    const u64 worthless =
        ~(worth_one | worth_two) & (position->decided ? ~0ull : ~COUNTERS);
    const u64 gone = ~(position->left | position->best | ACES);
    const u64 up = (cards & worthless) << 1;
    const u64 neighbours = (((up & gone) + gone) & ~gone) | (up & ~gone);
    return cards & ~(neighbours & worthless);
}

/* Write the plays worth looking at, most hopeful first, and return how many. */
static inline int order_plays(const Position *position, u64 *plays)
{
    const u64 left = position->left, led = position->led, best = position->best;
    const int seat = seat_after(position->leader, position->turn);
    u64 cards = left & hands[seat];
    if (cards & led)
        cards &= led | TRUMP;
    if (cards & (cards - 1))
        cards = without_equals(position, cards);
    if (!(cards & (cards - 1))) {
        plays[0] = cards;
        return 1;
    }
    const int we = is_ours(seat);
    const u64 opponents = we ? left & ~our_cards : left & our_cards;
    const u64 eligible = led | TRUMP;
    const u64 opposing_trumps = opponents & TRUMP;
    /* What opponents who are yet to play may win the trick with. */
    u64 threat = 0;
    for (int later = position->turn + 1; later < PLAYERS; later++) {
        const int other = seat_after(position->leader, later);
        threat |= is_ours(other) != we ? hands[other] : 0;
    }
    threat &= left & eligible;
    const int friend_wins = position->turn && is_ours(position->winner) == we;
    int hopes[HAND_SIZE];
    int count = 0;
    for (; cards; cards &= cards - 1) {
        const u64 card = lowest(cards);
        const int value = value_of_card[__builtin_ctzll(card)];
        int hope;
        if (position->turn == 0) {
            const u64 suit = suit_of(card);
            const int higher = (opponents & suit) > card;
            if (suit == TRUMP)
                hope = higher ? -15 - value : 56 + 7 * size(opposing_trumps);
            else if (higher)
                hope = -62 - value;
            else
                hope = opposing_trumps ? -33 - value : 56 + value;
        } else if ((card & eligible) > best) {
            hope = card > threat ? 69 + value - (friend_wins ? 28 : 0) : 12 - value;
        } else if (friend_wins) {
            hope = best > threat ? 50 + value : 41 - value;
        } else {
            hope = -value;
        }
        /* Of equals the lowest comes first. */
        int place = count++;
        for (; place > 0 && hopes[place - 1] < hope; place--) {
            hopes[place] = hopes[place - 1];
            plays[place] = plays[place - 1];
        }
        hopes[place] = hope;
        plays[place] = card;
    }
    return count;
}

static int answer_trick(Position *position);

/* Say whether the pitcher's side gets the points that it needs. */
static int answer(const Position *position)
{
    u64 plays[HAND_SIZE];
    const int we = is_ours(seat_after(position->leader, position->turn));
    nodes++;
    const int count = order_plays(position, plays);
    for (int i = 0; i < count; i++) {
        Position after;
        const int complete = play(position, plays[i], &after);
        if ((complete ? answer_trick(&after) : answer(&after)) == we)
            return we;
    }
    return !we;
}

static inline int is_of(const Entry *entry, u64 key)
{
    return entry->key == key && entry->search == searches;
}

/* The same at a complete trick: by bounds or the table if they can. */
static int answer_trick(Position *position)
{
    const u64 left = position->left;
    const u64 ours = left & our_cards;
    const u64 our_trumps = ours & TRUMP, their_trumps = (left ^ ours) & TRUMP;
    const u64 our_masters = our_trumps & above_all(their_trumps);
    const u64 their_masters = their_trumps & above_all(our_trumps);
    int lead = DOES_NOT_MATTER;
    int game = 0;
    if (!position->decided) {
        const int remaining = card_points(left);
        if (position->ahead - remaining + 2 * card_points(our_masters) > 0) {
            position->need--;
            position->decided = 1;
        } else if (position->ahead + remaining - 2 * card_points(their_masters) <= 0) {
            position->decided = 1;
        } else {
            lead = (position->ahead < remaining + 1 ? position->ahead : remaining + 1) + NO_LEAD;
            game = 1;
        }
    }
    if (!left)
        return position->need <= 0;
    if (position->need <= points_of(our_masters))
        return 1;
    if (position->need > points_of(left ^ their_masters) + game)
        return 0;
    if (position->need < 0) /* more than enough is no different from enough */
        position->need = 0;
    u64 key = left | (u64)position->leader << 56 | (u64)position->decided << 59;
    const u64 hashed = (key ^ ((u64)position->need << 48) * FACTOR) * FACTOR;
    Entry *entry = &table[hashed >> (64 - TABLE_BITS)];
    key |= (u64)position->need << 60;
    if (is_of(entry, key)) {
        if (lead >= entry->enough)
            return 1;
        if (lead <= entry->too_little)
            return 0;
    }
    const int yes = answer(position);
    if (!is_of(entry, key))
        *entry = (Entry){key, searches, NEVER_ENOUGH, NEVER_TOO_LITTLE};
    if (yes)
        entry->enough = (int16_t)lead;
    else
        entry->too_little = (int16_t)lead;
    return yes;
}

static void add_worth(u64 card)
{
    worth_two ^= worth_one & card;
    worth_one ^= card;
}

/* Make ready to search the deal in `hands`. */
static u64 begin_deal(void)
{
    const u64 dealt = hands[0] | hands[1] | hands[2] | hands[3];
    const u64 trumps = dealt & TRUMP;
    our_cards = hands[0] | hands[2];
    worth_one = worth_two = 0;
    add_worth(highest(trumps));
    add_worth(lowest(trumps));
    add_worth(trumps & RANK(JACK));
    for (u64 cards = dealt; cards; cards &= cards - 1) {
        const u64 card = lowest(cards);
        value_of_card[__builtin_ctzll(card)] = card_points(card) + 11 * points_of(card);
    }
    searches++;
    return dealt;
}

/* Give the points that the pitcher's side can force after its first lead. */
static int value_of(const u64 *dealt_hands, u64 lead)
{
    for (int seat = 0; seat < PLAYERS; seat++)
        hands[seat] = dealt_hands[seat];
    const u64 dealt = begin_deal();
    int low = 0, high = points_of(dealt) + 1;
    while (low < high) {
        const int target = (low + high + 1) / 2;
        const Position first = {.left = dealt, .need = target};
        Position after;
        play(&first, lead, &after);
        if (answer(&after))
            low = target;
        else
            high = target - 1;
    }
    return low;
}

static i64 nanoseconds(void)
{
    struct timespec time;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return time.tv_sec * 1000000000ll + time.tv_nsec;
}

/* Solve deals for the lead of the pitcher's highest trump. For each: its value, nodes, and time.
 *
 * dealt_hands: [deals, stride], by seat. */
void solve_deals(const u64 *dealt_hands, i64 deals, i64 stride, i64 *values, i64 *counts, i64 *times)
{
    for (i64 deal = 0; deal < deals; deal++) {
        const u64 *dealt = dealt_hands + deal * stride;
        const i64 nodes_before = nodes;
        const i64 begun = nanoseconds();
        values[deal] = value_of(dealt, highest(dealt[0] & TRUMP));
        times[deal] = nanoseconds() - begun;
        counts[deal] = nodes - nodes_before;
    }
}

/* A player that samples, and solves what it samples: a yardstick for what sampling players take. */

#define DECK ((1ull << 4 * SUIT_BITS) - 1)

static u64 random_state;

static u64 random_word(void) /* splitmix64 */
{
    u64 word = random_state += FACTOR;
    word = (word ^ word >> 30) * 0xBF58476D1CE4E5B9ull;
    word = (word ^ word >> 27) * 0x94D049BB133111EBull;
    return word ^ word >> 31;
}

/* Deal the cards that a seat has not seen to the others, whatever they have shown to lack. */
static void deal_world(const u64 *dealt, const u64 *played, int seat)
{
    u64 unseen[4 * SUIT_BITS];
    int count = 0, next = 0;
    u64 cards = DECK & ~dealt[seat];
    for (int other = 0; other < PLAYERS; other++)
        cards &= ~played[other];
    for (; cards; cards &= cards - 1)
        unseen[count++] = lowest(cards);
    for (int other = 0; other < PLAYERS; other++) {
        hands[other] = played[other];
        if (other == seat) {
            hands[other] = dealt[seat];
            continue;
        }
        for (int i = size(played[other]); i < HAND_SIZE; i++, next++) {
            const int pick = next + (int)((random_word() >> 32) * (u64)(count - next) >> 32);
            const u64 card = unseen[pick];
            unseen[pick] = unseen[next];
            unseen[next] = card;
            hands[other] |= card;
        }
    }
}

/* Say whether the pitcher's side gets so many points in the hand after some plays. */
static int gets(u64 dealt, const u64 *plays, int turns, int target)
{
    Position position = {.left = dealt, .need = target}, after = position;
    int complete = 0;
    for (int turn = 0; turn < turns; turn++) {
        complete = play(&position, plays[turn], &after);
        position = after;
    }
    return complete ? answer_trick(&position) : answer(&position);
}

/* Give the points that the pitcher's side can force after some plays; or, if a bid is given, only
 * whether it can make that, 0 or 1. */
static int value_after(u64 dealt, const u64 *plays, int turns, int bid)
{
    if (bid)
        return gets(dealt, plays, turns, bid);
    int low = 0, high = points_of(dealt) + 1;
    while (low < high) {
        const int target = (low + high + 1) / 2;
        if (gets(dealt, plays, turns, target))
            low = target;
        else
            high = target - 1;
    }
    return low;
}

/* Choose the card that is best for the seat's side in the mean of the worlds. */
static u64 think(const u64 *dealt, const u64 *played, u64 *plays, int turn, int seat, u64 legal,
                 int worlds, int bid)
{
    int sums[HAND_SIZE] = {0};
    for (int world = 0; world < worlds; world++) {
        deal_world(dealt, played, seat);
        const u64 all = begin_deal();
        int *sum = sums;
        for (u64 cards = legal; cards; cards &= cards - 1) {
            plays[turn] = lowest(cards);
            *sum++ += value_after(all, plays, turn + 1, bid);
        }
    }
    u64 choice = 0;
    int best = 0;
    const int *sum = sums;
    for (u64 cards = legal; cards; cards &= cards - 1) {
        const int gain = is_ours(seat) ? *sum++ : -*sum++;
        if (!choice || gain > best) {
            best = gain;
            choice = lowest(cards);
        }
    }
    return choice;
}

/* Play deals with four players who sample so many worlds at each turn where they have a choice.
 *
 * The pitcher leads its highest trump. Every card is solved in every world: for its value, or if a
 * bid is given for whether that is made. dealt_hands: [deals, stride], by seat. points: [deals],
 * written: what the pitcher's side takes. */
void play_sampling(const u64 *dealt_hands, i64 deals, i64 stride, i64 worlds, i64 bid, i64 *points)
{
    for (i64 deal = 0; deal < deals; deal++) {
        const u64 *dealt = dealt_hands + deal * stride;
        u64 played[PLAYERS] = {0}, plays[PLAYERS * HAND_SIZE];
        Position position = {.left = dealt[0] | dealt[1] | dealt[2] | dealt[3]};
        random_state = (u64)deal;
        for (int turn = 0; turn < PLAYERS * HAND_SIZE; turn++) {
            const int seat = seat_after(position.leader, position.turn);
            u64 legal = position.left & dealt[seat];
            if (legal & position.led)
                legal &= position.led | TRUMP;
            u64 card = legal;
            if (turn == 0)
                card = highest(legal & TRUMP);
            else if (legal & (legal - 1))
                card = think(dealt, played, plays, turn, seat, legal, (int)worlds, (int)bid);
            Position after;
            plays[turn] = card;
            played[seat] |= card;
            play(&position, card, &after);
            position = after;
        }
        for (int seat = 0; seat < PLAYERS; seat++)
            hands[seat] = dealt[seat];
        const u64 all = begin_deal();
        for (points[deal] = 4; points[deal] > 0; points[deal]--)
            if (gets(all, plays, PLAYERS * HAND_SIZE, (int)points[deal]))
                break;
    }
}
