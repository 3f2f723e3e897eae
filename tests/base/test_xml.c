#include "tests/check.h"
#include "tests/memory.h"

#include "base/base.h"
#include "base/house.h"

#include <unistd.h>

static sal_err err;

static sal_status parse(sal_xml_doc *doc, sal_diag *diag, const char *text)
{
    *diag = (sal_diag){0};
    return sal_xml_parse(doc, "t.xml", text, strlen(text), diag, &err);
}

static void elements_know_where_they_stand(void)
{
    sal_xml_doc doc;
    sal_diag diag;
    CHECK_OK(parse(&doc, &diag,
                   "<?xml version='1.0'?>\n<!-- <no/> -->\n<a>\n  <b x=\"1\" y = ' 2 '/>\n</a>\n"),
             err);
    const sal_xml *b = sal_xml_child(doc.root, "b");
    CHECK(b != NULL && b->nattr == 2 && b->parent == doc.root);
    CHECK(strncmp(b->place.source->data + b->place.offset, "b x=", 4) == 0 && b->place.length == 1);
    const sal_xml_attr *y = sal_xml_find_attr(b, "y");
    CHECK_TEXT(y->value, " 2 ");
    CHECK(strncmp(y->name_place.source->data + y->name_place.offset, "y = '", 5) == 0);
    CHECK(strncmp(y->value_place.source->data + y->value_place.offset, " 2 '", 4) == 0);
    CHECK(y->value_place.length == 3 && !y->used);
    sal_xml_free(&doc);
    sal_diag_clear(&diag);
}

static void descendants_are_found_in_document_order(void)
{
    sal_xml_doc doc;
    sal_diag diag;
    CHECK_OK(parse(&doc, &diag, "<a><b><c><d x='1'/></c></b><d x='2'/><e/></a>"), err);
    sal_xml *b = sal_xml_child(doc.root, "b"), *d = sal_xml_descendant(doc.root, "d");
    CHECK_TEXT(sal_xml_get(d, "x"), "1");
    CHECK(sal_xml_descendant(b, "d") == d && sal_xml_descendant(d, "d") == NULL);
    CHECK(sal_xml_descendant(b, "e") == NULL && sal_xml_descendant(doc.root, "a") == NULL);
    CHECK(sal_xml_descendant(doc.root, "e") == doc.root->last);
    sal_xml_free(&doc);
    sal_diag_clear(&diag);
}

static void values_are_resolved(void)
{
    sal_xml_doc doc;
    sal_diag diag;
    CHECK_OK(parse(&doc, &diag,
                   "\xEF\xBB\xBF<a q='&lt;&gt;&amp;&quot;&apos;' n='&#65;&#x42;' u=\"\xC3\xA4 "
                   "&#228;\" e=''\r\n\tc='>'/>"),
             err);
    CHECK_TEXT(sal_xml_get(doc.root, "q"), "<>&\"'");
    CHECK_TEXT(sal_xml_get(doc.root, "n"), "AB");
    CHECK_TEXT(sal_xml_get(doc.root, "u"), "\xC3\xA4 \xC3\xA4");
    CHECK_TEXT(sal_xml_get(doc.root, "e"), "");
    CHECK_TEXT(sal_xml_get(doc.root, "c"), ">");
    CHECK(sal_xml_get(doc.root, "none") == NULL);
    CHECK(sal_xml_find_attr(doc.root, "c")->used);
    sal_xml_free(&doc);
    sal_diag_clear(&diag);
}

/* Each text, and how the headline of its first error ends. */
static const struct {
    const char *text, *error;
} malformed[] = {
    {"", "t.xml:1:1: error: the file is empty"},
    {" \n", "t.xml:1:1: error: the file has no element"},
    {"<!-- only this -->", "t.xml:1:1: error: the file has no element"},
    {"abc", "t.xml:1:1: error: an XML document must begin with '<'"},
    {"abc<a/>", "t.xml:1:1: error: an XML document must begin with '<'"},
    {"<a>", "t.xml:1:2: error: this element is never closed"},
    {"<a", "t.xml:1:2: error: this tag is never closed with '>'"},
    {"<a x='1'", "t.xml:1:2: error: this tag is never closed with '>'"},
    {"<", "t.xml:1:1: error: '<' is not followed by a name"},
    {"<a>\n  <b>\n</a>", "t.xml:3:3: error: </a> does not close the innermost open element, <b>"},
    {"<a></b>", "t.xml:1:6: error: </b> does not close the innermost open element, <a>"},
    {"</a>", "t.xml:1:3: error: this closes an element that is not open"},
    {"<a/></a>", "t.xml:1:7: error: this closes an element that is not open"},
    {"<a></a", "t.xml:1:4: error: this closing tag does not end with '>'"},
    {"<a x=1/>", "t.xml:1:6: error: an attribute's value must stand in quotation marks"},
    {"<a x/>", "t.xml:1:4: error: this attribute has no value"},
    {"<a x= />", "t.xml:1:7: error: an attribute's value must stand in quotation marks"},
    {"<a x='1/>", "t.xml:1:6: error: this quotation mark is never closed"},
    {"<a x='1 <b/>'/>", "t.xml:1:9: error: '<' is not allowed in an attribute's value"},
    {"<a x='1'y='2'/>", "t.xml:1:9: error: a space is missing here"},
    {"<a x='1' x='2'/>", "t.xml:1:10: error: this attribute is given twice"},
    {"<a =''/>", "t.xml:1:4: error: expected an attribute, '>' or '/>'"},
    {"<a x='&nope;'/>",
     "t.xml:1:7: error: this entity is not known; XML has only &amp; &lt; &gt; &quot; and &apos;"},
    {"<a x='a & b'/>",
     "t.xml:1:9: error: this entity is not known; XML has only &amp; &lt; &gt; &quot; and &apos;"},
    {"<a x='&#0;'/>",
     "t.xml:1:7: error: this entity is not known; XML has only &amp; &lt; &gt; &quot; and &apos;"},
    {"<a x='&#xD800;'/>",
     "t.xml:1:7: error: this entity is not known; XML has only &amp; &lt; &gt; &quot; and &apos;"},
    {"<a x='&#99999999;'/>",
     "t.xml:1:7: error: this entity is not known; XML has only &amp; &lt; &gt; &quot; and &apos;"},
    {"<a x='&#;'/>",
     "t.xml:1:7: error: this entity is not known; XML has only &amp; &lt; &gt; &quot; and &apos;"},
    {"<a/>text", "t.xml:1:5: error: text is not allowed here"},
    {"<a/><b/>", "t.xml:1:6: error: this is a second root element; an XML document has only one"},
    {"<a>text</a>", "t.xml:1:4: error: text is not allowed here"},
    {"<a><![CDATA[x]]></a>", "t.xml:1:4: error: text is not allowed here"},
    {"<a><!-- </a>", "t.xml:1:4: error: this comment is never closed with '-->'"},
    {"<?xml", "t.xml:1:1: error: this instruction is never closed with '?>'"},
    {"<!DOCTYPE a [<!ENTITY b 'c'>]><a/>",
     "t.xml:1:1: error: declarations of entities are not supported"},
    {"<a\x01/>", "t.xml:1:3: error: a control character is not allowed in XML"},
    {"<a b\xEF\xBB\xBF=\"\"/>",
     "t.xml:1:5: error: a byte order mark is allowed only at the start of the file"},
    {"<a x='\xFF'/>", "t.xml:1:7: error: this byte is not UTF-8"},
    {"<a x='\xC3'/>", "t.xml:1:7: error: this byte is not UTF-8"},
    {"<\xFF/>", "t.xml:1:2: error: this byte is not UTF-8"},
    {"\xFF\xFE<", "t.xml:1:1: error: the file is UTF-16"},
};

static void malformed_text_is_refused_with_its_place(void)
{
    for (size_t i = 0; i < sizeof malformed / sizeof malformed[0]; i++) {
        sal_xml_doc doc;
        sal_diag diag;
        CHECK(parse(&doc, &diag, malformed[i].text) == SAL_BADINPUT);
        CHECK_TEXT(diag.first, malformed[i].error);
        sal_xml_free(&doc);
        sal_diag_clear(&diag);
    }
}

/* Where it is allowed, text leaves the elements as they are; outside the root it is a fault. */
static void text_may_be_left_out(void)
{
    const char text[] = "<a>one<b x='1'>two &amp; </b><![CDATA[</a>]]>\nthree</a>";
    sal_xml_doc doc;
    sal_diag diag = {0};
    sal_text out = {0};
    CHECK_OK(sal_xml_parse_mixed(&doc, "t.xml", text, strlen(text), &diag, &err), err);
    CHECK(diag.nerror == 0 && diag.nwarning == 4);
    CHECK(strstr(diag.text.data, "t.xml:1:4: warning: this text between elements has no effect") !=
          NULL);
    sal_xml_write(doc.root, &out);
    CHECK_TEXT(out.data, "<a>\n  <b x=\"1\"/>\n</a>\n");
    sal_text_clear(&out);
    sal_xml_free(&doc);
    sal_diag_clear(&diag);
    const char declared[] = "<!DOCTYPE a [<!ELEMENT a (b)> <!ATTLIST a x CDATA ']'> ] ><a/>";
    CHECK_OK(sal_xml_parse_mixed(&doc, "t.xml", declared, strlen(declared), &diag, &err), err);
    CHECK(diag.nwarning == 0 && strcmp(doc.root->tag, "a") == 0);
    sal_xml_free(&doc);
    CHECK(sal_xml_parse_mixed(&doc, "t.xml", "<!DOCTYPE a [<!ELEMENT a>", 25, &diag, &err) ==
          SAL_BADINPUT);
    CHECK_TEXT(diag.first, "t.xml:1:1: error: this declaration is never closed with '>'");
    sal_xml_free(&doc);
    sal_diag_clear(&diag);
    CHECK(sal_xml_parse_mixed(&doc, "t.xml", "<a/>text", 8, &diag, &err) == SAL_BADINPUT);
    CHECK_TEXT(diag.first, "t.xml:1:5: error: text is not allowed here");
    sal_xml_free(&doc);
    sal_diag_clear(&diag);
}

static void odd_but_sound_text_is_read(void)
{
    static const char *const sound[] = {
        "<a/>",
        "<a></a>",
        "<a ></a >",
        "<!DOCTYPE a><a/>",
        "<a><!-- a -- <!-\\- b -\\-> \xFF --></a>",
        "<a\n\tx\n=\n'1'\n/>",
        "\r\n<a>\r\n</a>\r\n<!-- end --> ",
        "<a>\xE2\x80\x8B<b/>\xC2\xA0</a>",
        "<a:b.c-d_1 \xC3\xA4='1'/>",
    };
    for (size_t i = 0; i < sizeof sound / sizeof sound[0]; i++) {
        sal_xml_doc doc;
        sal_diag diag;
        CHECK_OK(parse(&doc, &diag, sound[i]), err);
        sal_xml_free(&doc);
        sal_diag_clear(&diag);
    }
}

static void zeros_are_refused(void)
{
    sal_xml_doc doc;
    sal_diag diag = {0};
    CHECK(sal_xml_parse(&doc, "t.xml", "<a/>\0<b/>", 9, &diag, &err) == SAL_BADINPUT);
    CHECK_TEXT(err.message, "t.xml:1:5: error: the file contains a NUL byte");
    sal_xml_free(&doc);
    sal_diag_clear(&diag);
}

static void nesting_has_a_limit(void)
{
    sal_text text = {0};
    sal_xml_doc doc;
    sal_diag diag;
    for (int i = 0; i < 500; i++) {
        sal_text_add(&text, "<a>");
    }
    const size_t half = text.length;
    for (int i = 0; i < 500; i++) {
        sal_text_add(&text, "</a>");
    }
    CHECK_OK(parse(&doc, &diag, text.data), err);
    sal_xml_free(&doc);
    text.data[half] = 0;
    text.length = half;
    for (int i = 0; i < 200000; i++) {
        sal_text_add(&text, "<a>");
    }
    CHECK(parse(&doc, &diag, text.data) == SAL_BADINPUT);
    CHECK_TEXT(
        diag.first,
        "t.xml:1:1502: error: elements are nested too deeply: at most 500 levels are allowed");
    sal_xml_free(&doc);
    sal_diag_clear(&diag);
    sal_text_clear(&text);
}

static void large_documents_are_read(void)
{
    sal_text text = {0};
    sal_xml_doc doc;
    sal_diag diag;
    sal_text_add(&text, "<a>");
    for (int i = 0; i < 100000; i++) {
        sal_text_format(&text, "<b i='%d'/>\n", i);
    }
    sal_text_add(&text, "</a>");
    CHECK_OK(parse(&doc, &diag, text.data), err);
    CHECK_TEXT(sal_xml_get(doc.root->last, "i"), "99999");
    sal_xml_free(&doc);
    sal_text_clear(&text);
}

static void paths_of_files_are_checked(void)
{
    sal_xml_doc doc;
    sal_diag diag = {0};
    CHECK(sal_xml_read(&doc, "/tmp", &diag, &err) == SAL_BADPATH);
    sal_xml_free(&doc);
    CHECK(sal_xml_read(&doc, "/nowhere.xml", &diag, &err) == SAL_BADPATH);
    CHECK_TEXT(err.message, "cannot read '/nowhere.xml': No such file or directory");
    CHECK(diag.nerror == 0);
    sal_xml_free(&doc);
}

static void includes_take_the_place_of_their_element(void)
{
    char name[] = "/tmp/saltus-xml-XXXXXX";
    const char *inner = "<x><c/><d><e/></d></x>";
    const int fd = mkstemp(name);
    CHECK(fd >= 0 && write(fd, inner, strlen(inner)) == (ssize_t)strlen(inner));
    close(fd);
    static const struct {
        const char *before, *after;
    } cases[] = {
        {"<a><b/><i/><f/></a>", "<a>\n  <b/>\n  <c/>\n  <d>\n    <e/>\n  </d>\n  <f/>\n</a>\n"},
        {"<a><i/></a>", "<a>\n  <c/>\n  <d>\n    <e/>\n  </d>\n</a>\n"},
        {"<a><b/><i/></a>", "<a>\n  <b/>\n  <c/>\n  <d>\n    <e/>\n  </d>\n</a>\n"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        sal_xml_doc doc;
        sal_diag diag;
        sal_text text = {0};
        CHECK_OK(parse(&doc, &diag, cases[i].before), err);
        CHECK_OK(sal_xml_splice(&doc, sal_xml_child(doc.root, "i"), name, &diag, &err), err);
        sal_xml_write(doc.root, &text);
        CHECK_TEXT(text.data, cases[i].after);
        CHECK_TEXT(sal_xml_child(doc.root, "c")->place.source->path, name);
        CHECK(doc.root->last->next == NULL && sal_xml_child(doc.root, "d")->parent == doc.root);
        sal_text_clear(&text);
        sal_xml_free(&doc);
    }
    unlink(name);
}

static void what_is_written_is_read_back(void)
{
    sal_xml_doc doc = {0}, back;
    sal_diag diag;
    sal_text text = {0};
    sal_xml *root = sal_xml_add(&doc, NULL, "a");
    sal_xml *b = sal_xml_add(&doc, sal_xml_add(&doc, root, "mid"), "b");
    CHECK(root == doc.root && sal_xml_add(&doc, NULL, "second") == NULL);
    CHECK_OK(sal_xml_set(b, "x", "<>&\"'\n\t\xC3\xA4", &err), err);
    CHECK_OK(sal_xml_set(b, "y", "1", &err), err);
    CHECK_OK(sal_xml_set(b, "y", "2", &err), err);
    sal_xml_write(root, &text);
    CHECK_TEXT(text.data, "<a>\n  <mid>\n    <b x=\"&lt;&gt;&amp;&quot;'&#10;&#9;\xC3\xA4\" "
                          "y=\"2\"/>\n  </mid>\n</a>\n");
    CHECK_OK(parse(&back, &diag, text.data), err);
    CHECK_TEXT(sal_xml_get(back.root->child->child, "x"), "<>&\"'\n\t\xC3\xA4");
    sal_text_clear(&text);
    sal_xml_free(&doc);
    sal_xml_free(&back);
}

static const char *const model =
    "<m><option a='1'/><default><joint name='left'/></default><body name='left'>"
    "<joint name='left'/><joint/><joint name='right'/></body><joint name='right'/>"
    "<actuator><motor name='right'/></actuator></m>";

static void overrides_find_their_attribute(void)
{
    sal_xml_doc doc;
    sal_diag diag;
    CHECK_OK(parse(&doc, &diag, model), err);
    CHECK_OK(sal_xml_set_path(&doc, "option/a", "2", &err), err);
    CHECK_OK(sal_xml_set_path(&doc, "joint[left]/damping", "3", &err), err);
    CHECK_OK(sal_xml_set_path(&doc, "joint[#1]/damping", "4", &err), err);
    CHECK_OK(sal_xml_set_path(&doc, "size/nkey", "7", &err), err);
    sal_xml *body = sal_xml_child(doc.root, "body");
    CHECK_TEXT(sal_xml_get(sal_xml_child(doc.root, "option"), "a"), "2");
    CHECK_TEXT(sal_xml_get(body->child, "damping"), "3");
    CHECK_TEXT(sal_xml_get(body->child->next, "damping"), "4");
    CHECK_TEXT(sal_xml_get(sal_xml_child(doc.root, "size"), "nkey"), "7");
    CHECK(sal_xml_child(sal_xml_child(doc.root, "default"), "joint")->nattr == 1);
    sal_diag_error(&diag, sal_xml_find_attr(body->child, "damping")->value_place, NULL, "too much");
    CHECK_TEXT(diag.text.data, "override:1:21: error: too much\n"
                               "    1 | joint[left]/damping=3\n"
                               "      |                     ^\n");
    sal_diag_clear(&diag);
    sal_xml_free(&doc);
}

static const struct {
    const char *path, *error;
} bad_paths[] = {
    {"", "'' is not a path: write KIND/ATTRIBUTE, KIND[NAME]/ATTRIBUTE or KIND[#K]/ATTRIBUTE"},
    {"joint",
     "'joint' is not a path: write KIND/ATTRIBUTE, KIND[NAME]/ATTRIBUTE or KIND[#K]/ATTRIBUTE"},
    {"joint/",
     "'joint/' is not a path: write KIND/ATTRIBUTE, KIND[NAME]/ATTRIBUTE or KIND[#K]/ATTRIBUTE"},
    {"joint[left/x", "'joint[left/x' is not a path: write KIND/ATTRIBUTE, KIND[NAME]/ATTRIBUTE or "
                     "KIND[#K]/ATTRIBUTE"},
    {"joint[]/x",
     "'joint[]/x' is not a path: write KIND/ATTRIBUTE, KIND[NAME]/ATTRIBUTE or KIND[#K]/ATTRIBUTE"},
    {"joint[#x]/x", "'joint[#x]/x' is not a path: write KIND/ATTRIBUTE, KIND[NAME]/ATTRIBUTE or "
                    "KIND[#K]/ATTRIBUTE"},
    {"joint/x", "'joint/x': the file has 4 elements <joint>; write joint[NAME]/x or joint[#0]/x"},
    {"joint[lefd]/x", "'joint[lefd]/x': no <joint> is named 'lefd'; did you mean 'left'?"},
    {"joint[nothing]/x", "'joint[nothing]/x': no <joint> is named 'nothing'"},
    {"joint[#4]/x", "'joint[#4]/x': the file has 4 elements <joint>; the first is #0"},
    {"joint[right]/x", "'joint[right]/x': 2 elements <joint> have the name 'right'; write "
                       "joint[#K]/x, K counted from 0"},
    {"geom[foot]/x", "'geom[foot]/x': the file has no element <geom>"},
    {"geom[left]/x", "'geom[left]/x': no <geom> is named 'left'; did you mean body[left]/x?"},
    {"actuator[right]/x",
     "'actuator[right]/x': no <actuator> is named 'right'; did you mean motor[right]/x?"},
};

static void bad_overrides_are_explained(void)
{
    for (size_t i = 0; i < sizeof bad_paths / sizeof bad_paths[0]; i++) {
        sal_xml_doc doc;
        sal_diag diag;
        CHECK_OK(parse(&doc, &diag, model), err);
        CHECK(sal_xml_set_path(&doc, bad_paths[i].path, "1", &err) == SAL_BADINPUT);
        CHECK_TEXT(err.message, bad_paths[i].error);
        sal_xml_free(&doc);
    }
}

static void every_allocation_may_fail(void)
{
    sal_status status = SAL_NOMEM;
    for (long n = 1, whole = 0; !whole; n++) {
        sal_xml_doc doc;
        sal_diag diag;
        memory_fails_at(n);
        status = parse(&doc, &diag, model);
        if (status == SAL_OK) {
            status = sal_xml_set_path(&doc, "joint[#1]/damping", "4", &err);
        }
        whole = memory_was_enough(n);
        CHECK(whole || status == SAL_NOMEM);
        sal_xml_free(&doc);
        sal_diag_clear(&diag);
    }
    CHECK(status == SAL_OK);
}

int main(void)
{
    RUN(elements_know_where_they_stand);
    RUN(descendants_are_found_in_document_order);
    RUN(values_are_resolved);
    RUN(malformed_text_is_refused_with_its_place);
    RUN(text_may_be_left_out);
    RUN(odd_but_sound_text_is_read);
    RUN(zeros_are_refused);
    RUN(nesting_has_a_limit);
    RUN(large_documents_are_read);
    RUN(paths_of_files_are_checked);
    RUN(includes_take_the_place_of_their_element);
    RUN(what_is_written_is_read_back);
    RUN(overrides_find_their_attribute);
    RUN(bad_overrides_are_explained);
    RUN(every_allocation_may_fail);
    return check_done();
}
