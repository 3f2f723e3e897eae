/* sweep_page_colour.c: a scale of colours in even steps, from dark violet over teal to light
 * yellow. It is a path through Oklab (B. Ottosson, "A perceptual color space for image processing",
 * 2020), the space in which equal distances look equally far:
 *
 *     L(t) = dark + (light - dark) t,   hue(t) = 290 - 190 t degrees,
 *     chroma(t) = .085 + .055 (2 t - 1)^2
 *
 * all of which lies among the colours that a screen has. The map walks it at constant speed.
 */
#include "base/house.h"
#include "pages/sweep_page.h"

#include <math.h>
#include <stdio.h>

enum { NWALK = 1024 };

static void path(double lab[3], double t, double dark, double light)
{
    const double hue = (290 - 190 * t) * SAL_DEGREE,
                 chroma = 0.085 + 0.055 * (2 * t - 1) * (2 * t - 1);
    lab[0] = dark + (light - dark) * t;
    lab[1] = chroma * cos(hue);
    lab[2] = chroma * sin(hue);
}

/* Linear light 0..1 as sRGB 0..255 (IEC 61966-2-1). */
static unsigned to_byte(double x)
{
    const double c = x <= 0.0031308 ? 12.92 * x : 1.055 * pow(x, 1 / 2.4) - 0.055;
    return (unsigned)lround(255 * fmin(fmax(c, 0), 1));
}

static void to_text(char colour[8], const double lab[3])
{
    const double l = pow(lab[0] + 0.3963377774 * lab[1] + 0.2158037573 * lab[2], 3),
                 m = pow(lab[0] - 0.1055613458 * lab[1] - 0.0638541728 * lab[2], 3),
                 s = pow(lab[0] - 0.0894841775 * lab[1] - 1.2914855480 * lab[2], 3);
    snprintf(colour, 8, "#%02x%02x%02x",
             to_byte(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s) & 0xFF,
             to_byte(-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s) & 0xFF,
             to_byte(-0.0041960863 * l - 0.7034186147 * m + 1.7076147010 * s) & 0xFF);
}

void page_colour(char colour[8], double t, double dark, double light)
{
    double lab[3];
    path(lab, t, dark, light);
    to_text(colour, lab);
}

/* Length of the path from 0 to each k/NWALK. */
static void walk(double length[NWALK + 1], double dark, double light)
{
    double here[3], there[3];
    path(here, 0, dark, light);
    length[0] = 0;
    for (int k = 1; k <= NWALK; k++) {
        path(there, (double)k / NWALK, dark, light);
        sal_v3_sub(here, there, here);
        length[k] = length[k - 1] + sal_v3_norm(here);
        sal_v3_copy(here, there);
    }
}

void page_map(page_page *p)
{
    const double dark = 0.27, light = 0.93;
    double length[NWALK + 1];
    walk(length, dark, light);
    for (int i = 0, k = 0; i < PAGE_PAGE_NMAP; i++) {
        const double wanted = length[NWALK] * i / (PAGE_PAGE_NMAP - 1);
        while (k < NWALK && length[k] < wanted) {
            k++;
        }
        page_colour(p->map[i], (double)k / NWALK, dark, light);
    }
}

const char *page_map_colour(const page_page *p, double value, double lo, double hi)
{
    const double share = hi > lo ? (value - lo) / (hi - lo) : 0.5;
    return p->map[lround(fmin(fmax(share, 0), 1) * (PAGE_PAGE_NMAP - 1))];
}

int page_line(int i, int n)
{
    return n < 2 ? 0 : (i * (PAGE_PAGE_NLINE - 1) + (n - 1) / 2) / (n - 1);
}

/* .q3 sets --q, which lines, dots and keys take their colour from; lighter ones where the page is
 * dark. */
void page_line_style(sal_text *out)
{
    for (int theme = 0; theme < 2; theme++) {
        sal_text_add(out, theme == 0 ? "" : "@media(prefers-color-scheme:dark){");
        for (int k = 0; k < PAGE_PAGE_NLINE; k++) {
            char colour[8];
            page_colour(colour, (double)k / (PAGE_PAGE_NLINE - 1), theme == 0 ? 0.32 : 0.58,
                        theme == 0 ? 0.72 : 0.93);
            sal_text_format(out, ".q%d{--q:%s}", k, colour);
        }
        sal_text_add(out, theme == 0 ? "" : "}");
    }
}
