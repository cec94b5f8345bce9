/* The C yardstick: random play of four players by the rules of `partners`, as fast as one can.
 *
 * The same work as the engine's `deal_hands` and `play_hands` on the same random words (see
 * pitchsim/engine/stream.py), down to the same outcomes; but for this one rule set and number of
 * players, compiled for this very processor, and with deal, play and score in one loop.
 *
 * Cards are bits in four lanes of 16, a suit each, twos lowest. Dealing uses the deck's order of
 * the suits (S H D C from the lowest lane), in which the unseen cards are numbered; play uses
 * trump in the highest lane and the others below it in the order C D S H, as the engine does, for
 * the n-th legal card must be the same card.
 */
#include <stdint.h>
#ifdef __BMI2__
#include <immintrin.h>
#endif

typedef uint64_t u64;
typedef unsigned __int128 u128;

enum { TRICKS = 6 };
enum { TEN = 8, JACK = 9, QUEEN = 10, KING = 11, ACE = 12 };
#define GAMMA 0x9E3779B97F4A7C15ull
#define PLAY_WORDS ((1 << 19) + (1 << 18))
#define SUIT 0x1FFFull
#define TRUMP (SUIT << 48)
#define RANK(r) (0x0001000100010001ull << (r))

static inline u64 count(u64 cards) { return (u64)__builtin_popcountll(cards); }

/* ---- Random words and draws ---------------------------------------------------------------- */

static inline u64 mix(u64 z)
{
    z ^= z >> 30;
    z *= 0xBF58476D1CE4E5B9ull;
    z ^= z >> 27;
    z *= 0x94D049BB133111EBull;
    return z ^ (z >> 31);
}

/* Draw a number below n. The engine's fractions of 57 or 60 bits stand here at the upper end of
 * 64: the number is then the upper half of the product, and what is left needs no masking. */
static inline u64 draw(u64 *fraction, u64 n)
{
    u128 scaled = (u128)*fraction * n;
    *fraction = (u64)scaled;
    return (u64)(scaled >> 64);
}

/* Choose six of n positions: Floyd's algorithm, with Lemire's rejection. */
static inline u64 subset(u64 *state, const int n)
{
    const u64 ways = (u64)n * (n - 1) * (n - 2) * (n - 3) * (n - 4) * (n - 5);
    const u64 fair = (1ull << 57) % ways;
    for (;;) {
        u64 fraction = mix(*state) & ~127ull;
        u64 chosen = 0;
        *state += GAMMA;
#pragma GCC unroll 6
        for (int j = n - 6; j < n; j++) {
            u64 drawn = 1ull << draw(&fraction, (u64)j + 1);
            chosen |= chosen & drawn ? 1ull << j : drawn;
        }
        if (__builtin_expect(fraction >> 7 >= fair, 1))
            return chosen;
    }
}

/* Put the bits of `positions` where the bits of `cards` are. */
static inline u64 deposit(u64 positions, u64 cards)
{
#ifdef __BMI2__
    return _pdep_u64(positions, cards);
#else
    for (u64 gaps = ~cards; gaps; gaps &= gaps - 1)
        positions += positions & -(gaps & -gaps);
    return positions;
#endif
}

/* Choose one of a set of at most six cards. */
static inline u64 random_card(u64 *fraction, u64 cards)
{
    u64 n = draw(fraction, count(cards));
#ifdef __BMI2__
    return _pdep_u64(1ull << n, cards);
#else
    u64 c1 = cards & (cards - 1), c2 = c1 & (c1 - 1), c3 = c2 & (c2 - 1);
    u64 c4 = c3 & (c3 - 1), c5 = c4 & (c4 - 1);
    u64 low = n & 1 ? c1 : cards, middle = n & 1 ? c3 : c2, high = n & 1 ? c5 : c4;
    low = n & 2 ? middle : low;
    low = n & 4 ? high : low;
    return low & -low;
#endif
}

/* Move each suit from its lane in the deck's order to its lane in play. */
static inline u64 in_lanes(u64 cards, const int shift[4])
{
    u64 result = 0;
    for (int suit = 0; suit < 4; suit++)
        result |= (cards >> 16 * suit & SUIT) << shift[suit];
    return result;
}

/* ---- Play and score ------------------------------------------------------------------------ */

static inline u64 legal(u64 hand, u64 led) { return hand & led ? hand & (led | TRUMP) : hand; }

static inline u64 card_points(u64 cards)
{
    return count(cards & (RANK(KING) | RANK(JACK))) +
           2 * count(cards & (RANK(KING) | RANK(QUEEN) | RANK(TEN))) +
           4 * count(cards & RANK(ACE)) + 8 * count(cards & RANK(TEN));
}

static inline int32_t outcome(u64 dealt, u64 ours, u64 tricks)
{
    const u64 jack = 48 + JACK;
    u64 trumps = dealt & TRUMP;
    u64 high = 1ull << 63 >> __builtin_clzll(trumps);
    u64 low = trumps & -trumps;
    u64 in_play = 3 | (dealt >> jack & 1) << 2;
    u64 scored = (u64)((ours & high) != 0) | (u64)((ours & low) != 0) << 1 | (ours >> jack & 1) << 2;
    u64 twice_ours = 2 * card_points(ours), all = card_points(dealt);
    u64 others = (in_play & ~scored) | (u64)(twice_ours < all) << 10;
    return (int32_t)(scored | (u64)(twice_ours > all) << 10 | others << 11 | tricks << 22);
}

/* Deal and play deal numbers `first`, `first` + 1, ...
 *
 * hand     : the pitcher's cards, in the deck's order of suits;
 * lead     : the first card led, likewise, one of the trump suit;
 * trump    : the trump suit, 0-3 for S H D C;
 * outcomes : one for each deal, written.
 */
void play_deals(u64 seed, int64_t first, int64_t deals, u64 hand, u64 lead, int trump,
                int32_t *outcomes)
{
    static const int upwards[4] = {3, 2, 0, 1}; /* C D S H */
    const u64 key = mix(seed + GAMMA);
    const u64 unseen = (RANK(0) * SUIT) & ~hand;
    int lanes[4], plain = 0;
    for (int i = 0; i < 4; i++)
        lanes[upwards[i]] = 16 * (upwards[i] == trump ? 3 : plain++);
    hand = in_lanes(hand, lanes);
    lead = in_lanes(lead, lanes);

    for (int64_t deal = 0; deal < deals; deal++) {
        u64 state = key + GAMMA * (((u64)(first + deal) << 20) + 1);
        u64 left = unseen;
        u64 x1 = subset(&state, 46), x2 = subset(&state, 40), x3 = subset(&state, 34);
        u64 h1 = deposit(x1, left);
        left ^= h1;
        u64 h2 = deposit(x2, left);
        left ^= h2;
        u64 h3 = deposit(x3, left);
        h1 = in_lanes(h1, lanes);
        h2 = in_lanes(h2, lanes);
        h3 = in_lanes(h3, lanes);
        u64 h0 = hand; /* the hands from the leader's on */
        const u64 dealt = h0 | h1 | h2 | h3;
        u64 ours = 0, tricks = TRICKS, side = 0; /* side of the leader: 0 the pitcher's */

        state = key + GAMMA * (((u64)(first + deal) << 20) + PLAY_WORDS + 1);
#pragma GCC unroll 6
        for (int trick = 0; trick < TRICKS; trick++) {
            u64 c0 = h0, c1 = h1, c2 = h2, c3 = h3, fraction = 0;
            if (trick < TRICKS - 1) {
                fraction = mix(state) & ~15ull;
                state += GAMMA;
                c0 = trick ? random_card(&fraction, h0) : lead;
            }
            const u64 led = SUIT << (__builtin_ctzll(c0) & 48);
            if (trick < TRICKS - 1) {
                c1 = random_card(&fraction, legal(h1, led));
                c2 = random_card(&fraction, legal(h2, led));
                c3 = random_card(&fraction, legal(h3, led));
            }
            const u64 cards = c0 | c1 | c2 | c3;
            h0 ^= c0;
            h1 ^= c1;
            h2 ^= c2;
            h3 ^= c3;
            c1 &= led | TRUMP;
            c2 &= led | TRUMP;
            c3 &= led | TRUMP;
            const u64 best_even = c0 > c2 ? c0 : c2, best_odd = c1 > c3 ? c1 : c3;
            const int odd = best_odd > best_even;
            const int across = odd ? c3 > c1 : c2 > c0;
            side ^= (u64)odd;
            ours |= side ? 0 : cards;
            tricks -= side;
            /* Turn the table until the winner leads: one seat, then two. */
            const u64 r0 = odd ? h1 : h0, r1 = odd ? h2 : h1, r2 = odd ? h3 : h2, r3 = odd ? h0 : h3;
            h0 = across ? r2 : r0;
            h1 = across ? r3 : r1;
            h2 = across ? r0 : r2;
            h3 = across ? r1 : r3;
        }
        outcomes[deal] = outcome(dealt, ours, tricks);
    }
}
