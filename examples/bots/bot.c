/* A bot for the tables of nlhe-env, in C: it looks for the few fields it needs.
 *
 * It raises pairs, aces and kings before the flop, calls small bets, and folds to large ones. See
 * docs/external-bots.md for the messages.
 *
 *     cc -O2 -o bot examples/bots/bot.c
 *     agents.make("process:./bot")
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LONGEST 65536

/* The whole number after "name": outside of any nested object, which these fields always are;
 * what comes nested ("seats", "history") has other names. */
static long number(const char *line, const char *name)
{
    char key[64];
    snprintf(key, sizeof key, "\"%s\":", name);
    const char *at = strstr(line, key);
    return at ? strtol(at + strlen(key), NULL, 10) : 0;
}

static int is_of_type(const char *line, const char *type)
{
    char start[64];
    snprintf(start, sizeof start, "{\"type\":\"%s\"", type); /* always the first field */
    return strncmp(line, start, strlen(start)) == 0;
}

static void act(const char *line)
{
    long id = number(line, "id"), to_call = number(line, "to_call"), pot = number(line, "pot");
    long least = number(line, "min_raise_to"), raises = 0;
    const char *cards = strstr(line, "\"hole_cards\":\"");
    if (cards && strstr(line, "\"street\":\"preflop\"")) {
        cards += strlen("\"hole_cards\":\"");
        raises = cards[0] == cards[2] || strchr("AK", cards[0]) || strchr("AK", cards[2]);
    }
    if (raises && least > 0 && to_call * 2 <= pot)
        printf("{\"type\":\"action\",\"id\":%ld,\"action\":\"raise\",\"to\":%ld}\n", id, least);
    else if (to_call * 3 <= pot) /* also where checking is free */
        printf("{\"type\":\"action\",\"id\":%ld,\"action\":\"call\"}\n", id);
    else
        printf("{\"type\":\"action\",\"id\":%ld,\"action\":\"fold\"}\n", id);
}

int main(void)
{
    static char line[LONGEST];
    setvbuf(stdout, NULL, _IOLBF, 0); /* every line goes out at once */
    while (fgets(line, sizeof line, stdin)) {
        if (is_of_type(line, "hello"))
            puts("{\"type\":\"ready\",\"name\":\"Cee\"}");
        else if (is_of_type(line, "act"))
            act(line);
        else if (is_of_type(line, "bye"))
            break;
    }
    return 0;
}
